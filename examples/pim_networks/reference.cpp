// SPDX-License-Identifier: MIT
#include "examples/pim_networks/reference.h"

#include <algorithm>

namespace cox::pim_networks {

namespace {

std::int32_t saturate(std::int64_t value, unsigned bits) {
  const std::int64_t most = (std::int64_t{1} << (bits - 1)) - 1;
  return static_cast<std::int32_t>(std::clamp(value, -most - 1, most));
}

/// floor((a * b + 2^30) / 2^31), at most 2^31 - 1.
std::int32_t rounding_high_product(std::int32_t a, std::int32_t b) {
  return saturate((std::int64_t{a} * b + (std::int64_t{1} << 30)) >> 31, 32);
}

/// value / 2^shift, halves away from 0.
std::int32_t rounding_shift(std::int32_t value, int shift) {
  const std::int64_t magnitude = value < 0 ? -std::int64_t{value} : value;
  const std::int64_t rounded = shift == 0 ? magnitude : (magnitude + (std::int64_t{1} << (shift - 1))) >> shift;
  return static_cast<std::int32_t>(value < 0 ? -rounded : rounded);
}

std::int32_t multiply(std::int32_t value, std::int32_t multiplier, int shift) {
  if (shift < 0) return rounding_high_product(saturate(std::int64_t{value} << -shift, 32), multiplier);
  return rounding_shift(rounding_high_product(value, multiplier), shift);
}

std::int32_t add_quantised(std::int32_t first, std::int32_t second, const AddBlock &block) {
  const auto term = [](std::int32_t value, std::int32_t zero, std::int32_t multiplier, std::int32_t shift) {
    return multiply(saturate((std::int64_t{value} - zero) << 20, 32), multiplier, shift);
  };
  const std::int64_t sum = std::int64_t{term(first, block[0], block[1], block[2])} + term(second, block[3], block[4], block[5]);
  return saturate(std::int64_t{multiply(saturate(sum, 32), block[6], block[7])} + block[8], 8);
}

struct Input {
  const Map &values;
  int side, channels;
};

Map convolve(const Layer &layer, const LayerParameters &parameters, const Input &input, std::int32_t zero_point, const Map *shortcut) {
  const int side = layer.side, kernel = layer.kernel, filters = layer.channels;
  const std::size_t filter_weights = static_cast<std::size_t>(kernel) * kernel * input.channels;
  Map output(layer.elements());
  Map pixel(filter_weights);  // what the filters meet, less its zero point
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      std::fill(pixel.begin(), pixel.end(), 0);
      for (int row = 0; row < kernel; ++row) {
        for (int column = 0; column < kernel; ++column) {
          const int from_y = y * layer.stride - layer.padding + row, from_x = x * layer.stride - layer.padding + column;
          if (from_y < 0 || from_y >= input.side || from_x < 0 || from_x >= input.side) continue;
          const std::int32_t *from = &input.values[(static_cast<std::size_t>(from_y) * input.side + from_x) * input.channels];
          std::int32_t *to = &pixel[(static_cast<std::size_t>(row) * kernel + column) * input.channels];
          for (int channel = 0; channel < input.channels; ++channel) to[channel] = from[channel] - zero_point;
        }
      }
      for (int filter = 0; filter < filters; ++filter) {
        const std::int8_t *weights = &parameters.weights[filter * filter_weights];
        std::int32_t sum = parameters.biases[filter];
        for (std::size_t i = 0; i < filter_weights; ++i) sum += pixel[i] * weights[i];
        const std::size_t place = (static_cast<std::size_t>(y) * side + x) * filters + filter;
        const std::int64_t scaled = multiply(sum, parameters.multipliers[filter], parameters.shifts[filter]);
        const std::int32_t result = saturate(scaled + layer.sum_zero_point, 8);
        output[place] = shortcut == nullptr ? result : add_quantised(result, (*shortcut)[place], parameters.add);
      }
    }
  }
  return output;
}

Map pool(const Layer &layer, const Input &input) {
  const int side = layer.side, kernel = layer.kernel, channels = layer.channels;
  Map output;
  output.reserve(layer.elements());
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      for (int channel = 0; channel < channels; ++channel) {
        std::int32_t most = -128, sum = 0, count = 0;
        for (int row = 0; row < kernel; ++row) {
          for (int column = 0; column < kernel; ++column) {
            const int from_y = y * layer.stride - layer.padding + row, from_x = x * layer.stride - layer.padding + column;
            if (from_y < 0 || from_y >= input.side || from_x < 0 || from_x >= input.side) continue;
            const std::int32_t value = input.values[(static_cast<std::size_t>(from_y) * input.side + from_x) * channels + channel];
            most = std::max(most, value);
            sum += value;
            ++count;
          }
        }
        // An average is rounded to the nearest number, halves away from 0.
        const std::int32_t average = (sum < 0 ? sum - count / 2 : sum + count / 2) / count;
        output.push_back(layer.kind == Kind::maximum_pool ? most : average);
      }
    }
  }
  return output;
}

}  // namespace

std::vector<Map> evaluate(const Network &network, const Parameters &parameters, std::span<const std::int8_t> image) {
  const Map first(image.begin(), image.end());
  std::vector<Map> maps;
  maps.reserve(network.layers.size());
  for (std::size_t number = 0; number < network.layers.size(); ++number) {
    const Layer &layer = network.layers[number];
    const Input input{layer.input == kImage ? first : maps[static_cast<std::size_t>(layer.input)],
                      static_cast<int>(network.side_of(layer.input)), static_cast<int>(network.channels_of(layer.input))};
    if (layer.is_convolution()) {
      const Map *const shortcut = layer.has_shortcut() ? &maps[static_cast<std::size_t>(layer.shortcut)] : nullptr;
      maps.push_back(convolve(layer, parameters[number], input, network.zero_point_of(layer.input), shortcut));
    } else {
      maps.push_back(pool(layer, input));
    }
  }
  return maps;
}

}  // namespace cox::pim_networks
