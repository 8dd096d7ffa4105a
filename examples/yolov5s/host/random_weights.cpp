// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/random_weights.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "coxswain/isa/numbers/clamped_exponential.h"
#include "examples/yolov5s/host/activations.h"
#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/evaluate.h"
#include "examples/yolov5s/host/picture.h"
#include "examples/yolov5s/host/random.h"
#include "examples/yolov5s/host/weights.h"
#include "examples/yolov5s/layers.h"

namespace cox::yolov5s {
namespace {

/// Side, in pixels, of the synthetic scene, and number of its discs.
constexpr std::uint32_t kSide = 384;
constexpr std::uint32_t kDiscs = 16;

/// The wanted mean and standard deviation of a channel's values before its activation.
struct Target {
  float mean = 0, deviation = 1;
};

constexpr Target kHidden{1.0F, 0.5F};  // SiLU has a slope of about 0.93 at 1, so it does not amplify noise there
/// Mean and standard deviation of the outputs of the convolutions that is_weak() selects. They are small, so that little noise of earlier
/// layers reaches the network's outputs.
constexpr Target kWeak{0.0F, 0.1F};
constexpr Target kPosition{0.0F, 0.2F};
constexpr Target kSize{0.0F, 0.1F};
constexpr float kObject = 3.0F;      // mean objectness, before the sigmoid, at the finest scale, in places that show a disc
constexpr float kGround = -6.0F;     // mean objectness, before the sigmoid, at the finest scale, in places without a disc
constexpr float kScaleStep = -3.0F;  // added to kObject and kGround: once at the middle scale, twice at the coarsest
constexpr float kSilent = -8.0F;     // mean objectness, before the sigmoid, of the silent anchors, 1 and 2
constexpr float kClassDeviation = 0.4F;
constexpr float kOtherClasses = -5.0F;
// Mean class scores, before the sigmoid, of an anchor's four favourite classes. The first class nearly always wins.
constexpr float kClassSteps[] = {3.0F, 1.0F, -1.0F, -3.0F};

bool is_weak(std::string_view name) {
  const bool ends_bottleneck = name.find(".m.") != std::string_view::npos && name.ends_with(".cv2.conv");
  return ends_bottleneck || name == "model.10.conv" || name == "model.14.conv";
}

bool is_objectness(std::uint32_t channel) { return channel % kValues == kBoxValues - 1; }

Target head_target(std::uint32_t scale, std::uint32_t channel) {
  const std::uint32_t anchor = channel / kValues;
  const std::uint32_t value = channel % kValues;
  if (value < 2) return kPosition;
  if (value < kBoxValues) return kSize;  // objectness gets kSize, too, but Maker::convolution() replaces its target
  // Each anchor of each scale has its own four favourite classes.
  const std::uint32_t favourite = (value - kBoxValues + 27 * anchor + 9 * scale) % kClasses;
  return {favourite < std::size(kClassSteps) ? kClassSteps[favourite] : kOtherClasses, kClassDeviation};
}

/// Adds the products of each output pixel in a fixed order: by input channel, then kernel row, then kernel column. Each product and each
/// sum is rounded to FP32.
void convolve(const Layer &layer, std::span<const float> input, const std::vector<float> &weights, std::uint32_t output_channel,
              std::span<float> output) {
  const Convolution &convolution = layer.convolution;
  const auto height = static_cast<std::int64_t>(layer.input1.height);
  const auto width = static_cast<std::int64_t>(layer.input1.width);
  const auto rows = static_cast<std::int64_t>(layer.output.height);
  const auto columns = static_cast<std::int64_t>(layer.output.width);
  const auto kernel = static_cast<std::int64_t>(convolution.kernel);
  const auto stride = static_cast<std::int64_t>(convolution.stride);
  const auto padding = static_cast<std::int64_t>(convolution.padding);
  const float *weight = weights.data() + std::size_t{output_channel} * convolution.input_channels * convolution.kernel * convolution.kernel;
  for (std::int64_t channel = 0; channel < convolution.input_channels; ++channel) {
    for (std::int64_t y = 0; y < kernel; ++y) {
      for (std::int64_t x = 0; x < kernel; ++x) {
        const float factor = *weight++;
        for (std::int64_t row = 0; row < rows; ++row) {
          const std::int64_t source_row = row * stride + y - padding;
          if (source_row < 0 || source_row >= height) continue;
          const float *source = input.data() + (channel * height + source_row) * width + x - padding;
          float *destination = output.data() + row * columns;
          const std::int64_t first = x < padding ? (padding - x + stride - 1) / stride : 0;
          const std::int64_t end = std::min(columns, (width - 1 - x + padding) / stride + 1);
          if (stride == 1) {
            for (std::int64_t column = first; column < end; ++column) destination[column] += factor * source[column];
          } else {
            for (std::int64_t column = first; column < end; ++column) destination[column] += factor * source[column * 2];
          }
        }
      }
    }
  }
}

/// Position of a pixel of a map: on the background, on a disc, or on an edge.
enum class Place : std::uint8_t { ground, disc, edge };

std::vector<Place> places_of(const Scene &scene, const Map &map, std::uint32_t stride) {
  std::vector<Place> places;
  const auto step = static_cast<float>(stride);
  for (std::uint32_t row = 0; row < map.height; ++row) {
    for (std::uint32_t column = 0; column < map.width; ++column) {
      Place place = Place::ground;
      for (const Disc &disc : scene.discs) {
        const float y = (static_cast<float>(row) + 0.5F) * step - static_cast<float>(disc.row);
        const float x = (static_cast<float>(column) + 0.5F) * step - static_cast<float>(disc.column);
        const float distance = std::sqrt(y * y + x * x);
        const auto radius = static_cast<float>(disc.radius);
        const bool holds_centre = std::fabs(y) <= step / 2 && std::fabs(x) <= step / 2;
        if (distance < 0.7F * radius || holds_centre) place = Place::disc;
        if (distance < 1.3F * radius + step / 2 && place == Place::ground) place = Place::edge;
      }
      places.push_back(place);
    }
  }
  return places;
}

double mean_over(std::span<const float> pixels, const std::vector<Place> &places, Place place) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (places[i] != place) continue;
    sum += pixels[i];
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

double variance_over(std::span<const float> pixels, const std::vector<Place> &places, Place place) {
  const double mean = mean_over(pixels, places, place);
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (places[i] != place) continue;
    sum += (pixels[i] - mean) * (pixels[i] - mean);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

/// Returns weights that separate discs from the background. A channel's weight is the difference of its two means (on discs, on the
/// background) divided by the sum of its two variances.
std::vector<float> discriminant(std::span<const float> features, std::size_t channels, const std::vector<Place> &places) {
  constexpr double kLeastVariance = 1e-3;
  const std::size_t plane = places.size();
  std::vector<float> weights;
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const std::span<const float> pixels = features.subspan(channel * plane, plane);
    const double difference = mean_over(pixels, places, Place::disc) - mean_over(pixels, places, Place::ground);
    const double variance = variance_over(pixels, places, Place::disc) + variance_over(pixels, places, Place::ground);
    weights.push_back(static_cast<float>(difference / (variance + kLeastVariance)));
  }
  return weights;
}

struct Normalisation {
  std::vector<float> gamma, beta, mean, variance;
};

/// Converts weights [output][depth][3][3] of the space-to-depth map back to [output][channel][6][6].
std::vector<float> depth_to_space_weights(const Convolution &convolution, const std::vector<float> &weights) {
  std::vector<float> file(weights.size());
  const std::size_t depths = convolution.input_channels;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::size_t x = i % 3;
    const std::size_t y = i / 3 % 3;
    const std::size_t depth = i / 9 % depths;
    const std::size_t output = i / 9 / depths;
    const std::size_t part = depth / kImageChannels;  // 2 * row + column of the pixel in its 2x2 square
    file[((output * kImageChannels + depth % kImageChannels) * 6 + 2 * y + part / 2) * 6 + 2 * x + part % 2] = weights[i];
  }
  return file;
}

class Maker {
 public:
  explicit Maker(std::uint64_t seed)
      : random_(seed), scene_(synthetic_scene(seed, kSide, kSide, kDiscs)), layers_(make_layers()), activations_(*layers_) {
    space_to_depth(planes_of(scene_.picture.pixels), kSide, kSide, activations_.of(layers_->tensors()[kInputTensor]));
  }

  std::vector<NamedTensor> run() {
    for (const Layer &layer : layers_->layers()) {
      if (layer.kind == LayerKind::convolution) {
        convolution(layer);
      } else if (layer.kind != LayerKind::sigmoid) {  // no layer reads a sigmoid's output
        const bool two = layer.kind == LayerKind::add;
        evaluate_simple(layer, activations_.of(layer.input1), two ? activations_.of(layer.input2) : std::span<float>(),
                        activations_.of(layer.output));
      }
    }
    return std::move(tensors_);
  }

 private:
  static std::unique_ptr<LayerList> make_layers() {
    auto layers = std::make_unique<LayerList>();
    if (!build(*layers, kSide, kSide).ok()) throw std::logic_error("the network does not build");
    return layers;
  }

  void convolution(const Layer &layer) {
    const Convolution &convolution = layer.convolution;
    const std::size_t taps = std::size_t{convolution.input_channels} * convolution.kernel * convolution.kernel;
    const float deviation = 1.0F / std::sqrt(static_cast<float>(taps));
    std::vector<float> weights(taps * convolution.output_channels);
    for (float &weight : weights) weight = random_.normal() * deviation;
    const bool head = convolution.activation == Activation::None;
    const std::uint32_t scale = head ? static_cast<std::uint32_t>(layer.name.view().back() - '0') : 0;
    std::vector<Place> places;
    if (head) {
      places = places_of(scene_, layer.output, kStrides[scale]);
      const std::vector<float> direction = discriminant(activations_.of(layer.input1), convolution.input_channels, places);
      for (std::uint32_t channel = 0; channel < convolution.output_channels; ++channel) {
        if (is_objectness(channel))
          std::copy(direction.begin(), direction.end(), weights.begin() + static_cast<std::ptrdiff_t>(channel * taps));
      }
    }
    const std::size_t plane = std::size_t{layer.output.height} * layer.output.width;
    Normalisation normalisation;
    for (std::uint32_t channel = 0; channel < convolution.output_channels; ++channel) {
      const std::span<float> pixels = activations_.of(layer.output).subspan(channel * plane, plane);
      std::fill(pixels.begin(), pixels.end(), 0.0F);
      convolve(layer, activations_.of(layer.input1), weights, channel, pixels);
      const std::vector<Place> everywhere(plane, Place::ground);
      const double mean = mean_over(pixels, everywhere, Place::ground);
      const double variance = variance_over(pixels, everywhere, Place::ground);
      Target target = head ? head_target(scale, channel) : is_weak(convolution.name.view()) ? kWeak : kHidden;
      const float unit = std::sqrt(static_cast<float>(variance) + kBatchNormalisationEpsilon);
      if (head && is_objectness(channel)) {
        const bool silent = channel / kValues != 0;
        const double ground = mean_over(pixels, places, Place::ground);
        const double slope = (kObject - kGround) / std::max(mean_over(pixels, places, Place::disc) - ground, 1e-3);
        target.deviation = static_cast<float>(slope) * unit;
        target.mean = silent ? kSilent : static_cast<float>(kGround + kScaleStep * static_cast<float>(scale) + slope * (mean - ground));
      }
      normalisation.gamma.push_back(target.deviation);
      normalisation.beta.push_back(target.mean);
      normalisation.mean.push_back(static_cast<float>(mean));
      normalisation.variance.push_back(static_cast<float>(variance));
      const float factor = target.deviation / unit;
      for (float &pixel : pixels) {
        pixel = (pixel - normalisation.mean.back()) * factor + target.mean;
        if (convolution.activation == Activation::SiLU) pixel = isa::numbers::silu(pixel);
      }
    }
    append(convolution, std::move(weights), std::move(normalisation));
  }

  void append(const Convolution &convolution, std::vector<float> weights, Normalisation normalisation) {
    if (convolution.space_to_depth) weights = depth_to_space_weights(convolution, weights);
    const std::string name(convolution.name.view());
    constexpr std::string_view kEnding = ".conv";
    const std::vector<std::uint64_t> shape = file_shape(convolution);
    const std::vector<std::uint64_t> outputs{convolution.output_channels};
    if (!name.ends_with(kEnding)) {
      ConvolutionWeights folded =
          fold({std::move(weights), {}}, normalisation.gamma, normalisation.beta, normalisation.mean, normalisation.variance);
      tensors_.push_back({name + ".weight", shape, std::move(folded.weights)});
      tensors_.push_back({name + ".bias", outputs, std::move(folded.biases)});
      return;
    }
    const std::string beside = name.substr(0, name.size() - kEnding.size()) + ".bn";
    tensors_.push_back({name + ".weight", shape, std::move(weights)});
    tensors_.push_back({beside + ".weight", outputs, std::move(normalisation.gamma)});
    tensors_.push_back({beside + ".bias", outputs, std::move(normalisation.beta)});
    tensors_.push_back({beside + ".running_mean", outputs, std::move(normalisation.mean)});
    tensors_.push_back({beside + ".running_var", outputs, std::move(normalisation.variance)});
  }

  Random random_;
  Scene scene_;
  std::unique_ptr<LayerList> layers_;
  Activations activations_;
  std::vector<NamedTensor> tensors_;
};

}  // namespace

std::vector<NamedTensor> random_weights(std::uint64_t seed) { return Maker(seed).run(); }

}  // namespace cox::yolov5s
