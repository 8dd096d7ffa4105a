// SPDX-License-Identifier: MIT
#include "examples/pim_networks/parameters.h"

#include <cmath>

namespace cox::pim_networks {

namespace {

/// A pseudo-random number for each place of a stream of them: the 64-bit mix of SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t stream) : state_(stream << 40) {}
  std::uint64_t next() {
    std::uint64_t value = state_ += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
  }
  /// A number from -most to most.
  std::int32_t within(std::int32_t most) { return static_cast<std::int32_t>(next() % (2 * static_cast<std::uint64_t>(most) + 1)) - most; }

 private:
  std::uint64_t state_;
};

constexpr std::uint64_t kImageStream = 1000;
constexpr std::int32_t kMostWeight = 127;

// Standard deviations, in steps of the maps. A map behind ReLU has half of the values of such a normal distribution.
constexpr double kWithRelu = 64, kWithoutRelu = 32;
constexpr double kImageDeviation = 73.3;  // numbers from -127 to 127
constexpr double kWeightDeviation = 73.3;
constexpr double kShortcutShare = 0.7;

LayerParameters random_layer(const Network &network, const Layer &layer, std::uint64_t stream) {
  LayerParameters made;
  if (!layer.is_convolution()) return made;
  Random random(stream);
  const std::uint32_t inputs = network.filter_weights(layer);
  made.weights.resize(std::size_t{inputs} * layer.channels);
  for (std::int8_t &weight : made.weights) weight = static_cast<std::int8_t>(random.within(kMostWeight));
  const double input = layer.input == kImage ? kImageDeviation : kWithRelu / std::sqrt(2.0);
  const double sum = std::sqrt(static_cast<double>(inputs)) * kWeightDeviation * input;
  const double output = layer.sum_zero_point == kLeast ? kWithRelu : kWithoutRelu;
  for (std::uint32_t filter = 0; filter < layer.channels; ++filter) {
    made.biases.push_back(random.within(static_cast<std::int32_t>(sum / 4)));
    const Factor factor = factor_of(output / sum * (1 + random.within(100) / 400.0));
    made.multipliers.push_back(factor.multiplier);
    made.shifts.push_back(factor.shift);
  }
  if (layer.has_shortcut())
    made.add = add_block({1, kShortcutShare}, layer.sum_zero_point, network.zero_point_of(layer.shortcut), 1, layer.zero_point);
  return made;
}

}  // namespace

Factor factor_of(double real) {
  int exponent = 0;
  auto multiplier = std::llround(std::ldexp(std::frexp(real, &exponent), 31));
  if (multiplier == std::int64_t{1} << 31) {
    multiplier /= 2;
    ++exponent;
  }
  return {static_cast<std::int32_t>(multiplier), static_cast<std::int8_t>(-exponent)};
}

AddBlock add_block(const std::array<double, 2> &scales, std::int32_t first_zero, std::int32_t second_zero, double output_scale,
                   std::int32_t output_zero) {
  // As TensorFlow Lite: both inputs in steps of twice the larger scale, times 2^20.
  const double step = 2 * std::max(scales[0], scales[1]);
  const Factor first = factor_of(scales[0] / step), second = factor_of(scales[1] / step);
  const Factor output = factor_of(step / (output_scale * (1 << 20)));
  return {first_zero,   first.multiplier,  first.shift,  second_zero, second.multiplier,
          second.shift, output.multiplier, output.shift, output_zero};
}

Parameters resnet18_parameters() {
  Parameters parameters;
  for (const Layer &layer : kResnet18.layers) parameters.push_back(random_layer(kResnet18, layer, parameters.size() + 1));
  return parameters;
}

std::vector<std::int8_t> resnet18_image() {
  Random random(kImageStream);
  std::vector<std::int8_t> image(kResnet18.image_elements());
  for (std::int8_t &value : image) value = static_cast<std::int8_t>(random.within(kMostWeight));
  return image;
}

}  // namespace cox::pim_networks
