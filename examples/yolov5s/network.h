// SPDX-License-Identifier: MIT
// The layers of YOLOv5s (version 6), for any image whose height and width are multiples of 32. The target application, the FP32 evaluation,
// the weight packer and the reports all walk the list of layers that build() gives (README.md, The network). Freestanding: no heap, no
// exceptions.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "coxswain/base/status.h"
#include "coxswain/isa/mx/table.h"

namespace cox::yolov5s {

using isa::mx::Activation;

inline constexpr std::uint32_t kImageChannels = 3;
inline constexpr std::uint32_t kSizeMultiple = 32;  ///< the input's height and width are multiples of this
inline constexpr std::uint32_t kClasses = 80;
inline constexpr std::uint32_t kScales = 3;     ///< number of scales, each with a head output; scale 0 is the finest
inline constexpr std::uint32_t kAnchors = 3;    ///< anchors per pixel of a scale
inline constexpr std::uint32_t kBoxValues = 5;  ///< values before the classes: x, y, width, height, objectness
inline constexpr std::uint32_t kValues = kBoxValues + kClasses;
inline constexpr std::uint32_t kHeadChannels = kAnchors * kValues;  ///< channel a * kValues + v has value v of anchor a
inline constexpr std::uint32_t kStrides[kScales] = {8, 16, 32};
inline constexpr float kAnchorSizes[kScales][kAnchors][2] = {  // width and height in pixels of the input
    {{10, 13}, {16, 30}, {33, 23}},
    {{30, 61}, {62, 45}, {59, 119}},
    {{116, 90}, {156, 198}, {373, 326}}};

/// Layers and tensors are numbered in the order in which build() passes them to its builder. A call of convolution_pair() passes two
/// layers.
inline constexpr std::uint32_t kConvolutions = 60;
inline constexpr std::uint32_t kLayers = kConvolutions + 7 + 3 + 2 + kScales;
inline constexpr std::uint32_t kTensors = 61;

enum class LayerKind : std::uint32_t { convolution = 0, add = 1, max_pool = 2, upsample = 3, sigmoid = 4 };

/// A name such as "model.2.m.0.cv1.conv", built without a heap.
class Name {
 public:
  static constexpr std::size_t kMost = 31;
  constexpr Name() = default;
  explicit constexpr Name(std::string_view text) { append(text); }
  constexpr Name operator+(std::string_view text) const {
    Name sum = *this;
    sum.append(text);
    return sum;
  }
  constexpr Name operator+(std::uint32_t number) const {  // `number` is below 100
    const char digits[2] = {static_cast<char>('0' + number / 10 % 10), static_cast<char>('0' + number % 10)};
    return *this + (number < 10 ? std::string_view(digits + 1, 1) : std::string_view(digits, 2));
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text_, size_}; }
  [[nodiscard]] constexpr const char *c_str() const { return text_; }

 private:
  constexpr void append(std::string_view text) {
    for (const char character : text) {
      if (size_ < kMost) text_[size_++] = character;
    }
  }
  char text_[kMost + 1]{};
  std::size_t size_ = 0;
};

/// Channels [first, first + channels) of a tensor, or all of it. `first` is a multiple of 16, so that a slice begins with a whole
/// block (docs/mx9.md, Layout).
struct Map {
  std::uint32_t tensor = 0;  ///< number of the tensor
  std::uint32_t first = 0;
  std::uint32_t channels = 0;
  std::uint32_t height = 0, width = 0;

  [[nodiscard]] constexpr Map slice(std::uint32_t first_channel, std::uint32_t count) const {
    return {tensor, first + first_channel, count, height, width};
  }
};

/// A convolution as the device runs it, with its activation.
struct Convolution {
  /// Name of the convolution's tensors in a weight file, as in ultralytics: NAME.weight and NAME.bias. If NAME ends in ".conv", the file
  /// may have a batch normalisation for the convolution. The names of its tensors have ".bn" in place of ".conv", and NAME.bias may then be
  /// missing. A file in which batch normalisations are folded into the convolutions has no such tensors.
  Name name;
  std::uint32_t kernel = 1, stride = 1, padding = 0;
  std::uint32_t input_channels = 0, output_channels = 0;  ///< without padding, so they need not be multiples of 16 (12 and 255 occur)
  Activation activation = Activation::SiLU;
  /// True for the first convolution. In the file it is 6x6, stride 2, padding 2 over 3 channels. The device runs it as 3x3, stride 1,
  /// padding 1 over the space-to-depth map (kernels/mx/pack_weights.h, space_to_depth_weights).
  bool space_to_depth = false;
};

/// Returns the number of multiply-accumulates of a convolution. Channels that only fill a block do not count. The first convolution counts
/// as the 3x3 convolution that the device runs (Convolution::space_to_depth).
constexpr std::uint64_t multiply_accumulates(const Convolution &convolution, const Map &output) {
  return std::uint64_t{convolution.kernel} * convolution.kernel * convolution.input_channels * convolution.output_channels * output.height *
         output.width;
}

/// The functions that build() calls. It calls tensor() before any other call uses that tensor, and calls each layer after all of its inputs
/// are complete. An error of any call ends the walk. Tensors are never reused, so a builder can keep the output of each layer.
///
///   tensor(number, name, map)   reserves tensor `number`; `map` is the whole tensor. Numbers count up from 0. The first tensor,
///                               kInputTensor, is the space-to-depth map of the image (kernels/mx/mx9_pack.h): 12 channels of half the
///                               height and width.
///   convolution(c, in, out)     one layer. Packed weights follow each other without gaps in the order of these calls (convolution_pair:
///                               first, second), each as kernels/mx/pack_weights.h makes them.
///   convolution_pair(c1, c2, in, out1, out2)
///                               two layers with one input that differ only in name and output. The packed weights of c1 followed by
///                               those of c2 are the packed weights of one convolution with both outputs. So the device can run the pair
///                               as one CONVACT with Split. A builder may also treat the pair as two calls of convolution().
///   add(name, in1, in2, out)    one layer.
///   max_pool(name, in, out)     one layer: kPoolKernel, stride 1, padding kPoolKernel / 2.
///   upsample(name, in, out)     one layer: nearest neighbour, twice the height and width.
///   sigmoid(name, in, out)      one layer.
///   head(scale, logits, values) no layer. Tells the builder which maps are the outputs of `scale`: `logits` before the sigmoid, `values`
///                               after it. Both have kHeadChannels channels.
template <typename B>
concept Builder = requires(B &builder, std::uint32_t number, const Name &name, const Map &map, const Convolution &convolution) {
  { builder.tensor(number, name, map) } -> std::same_as<Status>;
  { builder.convolution(convolution, map, map) } -> std::same_as<Status>;
  { builder.convolution_pair(convolution, convolution, map, map, map) } -> std::same_as<Status>;
  { builder.add(name, map, map, map) } -> std::same_as<Status>;
  { builder.max_pool(name, map, map) } -> std::same_as<Status>;
  { builder.upsample(name, map, map) } -> std::same_as<Status>;
  { builder.sigmoid(name, map, map) } -> std::same_as<Status>;
  { builder.head(number, map, map) } -> std::same_as<Status>;
};

inline constexpr std::uint32_t kInputTensor = 0;
inline constexpr std::uint32_t kPoolKernel = 5;

namespace detail {

template <Builder B>
class Walk {
 public:
  explicit Walk(B &builder) : builder_(builder) {}

  Status run(std::uint32_t height, std::uint32_t width) {
    const Map image = tensor(Name("image"), 12, height / 2, width / 2);
    // The tensors of the neck's concatenations exist before their parts, so a part is written directly to its slice and not copied.
    const Map concat12 = tensor(Name("model.12"), 512, height / 16, width / 16);
    const Map concat16 = tensor(Name("model.16"), 256, height / 8, width / 8);
    const Map concat19 = tensor(Name("model.19"), 256, height / 16, width / 16);
    const Map concat22 = tensor(Name("model.22"), 512, height / 32, width / 32);

    // Backbone.
    const Map map0 = tensor(Name("model.0"), 32, height / 2, width / 2);
    do_convolution({.name = Name("model.0.conv"), .kernel = 3, .padding = 1, .space_to_depth = true}, image, map0);
    const Map map1 = down(1, map0, 64);
    const Map map2 = c3(2, map1, whole("model.2", map1, 64), 1, true);
    const Map map3 = down(3, map2, 128);
    const Map map4 = c3(4, map3, concat16.slice(128, 128), 2, true);
    const Map map5 = down(5, map4, 256);
    const Map map6 = c3(6, map5, concat12.slice(256, 256), 3, true);
    const Map map7 = down(7, map6, 512);
    const Map map8 = c3(8, map7, whole("model.8", map7, 512), 1, true);
    const Map map9 = sppf(9, map8, 512);

    // Neck.
    const Map map10 = pointwise(10, map9, concat22.slice(256, 256));
    do_upsample(Name("model.11"), map10, concat12.slice(0, 256));
    const Map map13 = c3(13, concat12, whole("model.13", concat12, 256), 1, false);
    const Map map14 = pointwise(14, map13, concat19.slice(128, 128));
    do_upsample(Name("model.15"), map14, concat16.slice(0, 128));
    const Map map17 = c3(17, concat16, whole("model.17", concat16, 128), 1, false);
    down(18, map17, concat19.slice(0, 128));
    const Map map20 = c3(20, concat19, whole("model.20", concat19, 256), 1, false);
    down(21, map20, concat22.slice(0, 256));
    const Map map23 = c3(23, concat22, whole("model.23", concat22, 512), 1, false);

    // Head.
    const Map features[kScales] = {map17, map20, map23};
    for (std::uint32_t scale = 0; scale < kScales; ++scale) {
      const Name name = Name("model.24.m.") + scale;
      const Map logits = tensor(name, kHeadChannels, features[scale].height, features[scale].width);
      do_convolution({.name = name, .activation = Activation::None}, features[scale], logits);
      const Name sigmoid_name = name + ".sigmoid";
      const Map values = tensor(sigmoid_name, kHeadChannels, logits.height, logits.width);
      if (status_.ok()) status_ = builder_.sigmoid(sigmoid_name, logits, values);
      if (status_.ok()) status_ = builder_.head(scale, logits, values);
    }
    return status_;
  }

 private:
  static Name module(std::uint32_t number) { return Name("model.") + number; }

  Map tensor(const Name &name, std::uint32_t channels, std::uint32_t height, std::uint32_t width) {
    const Map map{tensors_++, 0, channels, height, width};
    if (status_.ok()) status_ = builder_.tensor(map.tensor, name, map);
    return map;
  }
  Map whole(std::string_view name, const Map &like, std::uint32_t channels) {
    return tensor(Name(name), channels, like.height, like.width);
  }

  static Convolution completed(Convolution convolution, const Map &input, const Map &output) {
    convolution.input_channels = input.channels;
    convolution.output_channels = output.channels;
    return convolution;
  }
  void do_convolution(const Convolution &convolution, const Map &input, const Map &output) {
    if (status_.ok()) status_ = builder_.convolution(completed(convolution, input, output), input, output);
  }
  void do_upsample(const Name &name, const Map &input, const Map &output) {
    if (status_.ok()) status_ = builder_.upsample(name, input, output);
  }

  /// Appends a 3x3 convolution with stride 2.
  Map down(std::uint32_t number, const Map &input, const Map &output) {
    do_convolution({.name = module(number) + ".conv", .kernel = 3, .stride = 2, .padding = 1}, input, output);
    return output;
  }
  Map down(std::uint32_t number, const Map &input, std::uint32_t channels) {
    return down(number, input, tensor(module(number), channels, input.height / 2, input.width / 2));
  }
  Map pointwise(std::uint32_t number, const Map &input, const Map &output) {
    do_convolution({.name = module(number) + ".conv"}, input, output);
    return output;
  }

  /// Appends three 1x1 convolutions (cv1, cv2, cv3) and `count` bottlenecks: output = cv3(bottlenecks(cv1(input)), cv2(input)).
  Map c3(std::uint32_t number, const Map &input, const Map &output, std::uint32_t count, bool shortcut) {
    const Name name = module(number);
    const std::uint32_t hidden = output.channels / 2;
    const Map concat = tensor(name + ".concat", 2 * hidden, input.height, input.width);
    Map map = tensor(name + ".cv1", hidden, input.height, input.width);
    const Map second = concat.slice(hidden, hidden);
    if (status_.ok()) {
      status_ = builder_.convolution_pair(completed({.name = name + ".cv1.conv"}, input, map),
                                          completed({.name = name + ".cv2.conv"}, input, second), input, map, second);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const Name bottleneck = name + ".m." + i;
      const Map narrow = tensor(bottleneck + ".cv1", hidden, map.height, map.width);
      do_convolution({.name = bottleneck + ".cv1.conv"}, map, narrow);
      const Map last = i + 1 == count ? concat.slice(0, hidden) : Map{};
      const Map result = last.channels != 0 ? last : tensor(bottleneck, hidden, map.height, map.width);
      const Map convolved = shortcut ? tensor(bottleneck + ".cv2", hidden, map.height, map.width) : result;
      do_convolution({.name = bottleneck + ".cv2.conv", .kernel = 3, .padding = 1}, narrow, convolved);
      if (shortcut && status_.ok()) status_ = builder_.add(bottleneck + ".add", map, convolved, result);
      map = result;
    }
    do_convolution({.name = name + ".cv3.conv"}, concat, output);
    return output;
  }

  /// Appends a 1x1 convolution, three consecutive maxima over 5x5, and a 1x1 convolution over all four maps.
  Map sppf(std::uint32_t number, const Map &input, std::uint32_t channels) {
    const Name name = module(number);
    const std::uint32_t hidden = input.channels / 2;
    const Map concat = tensor(name + ".concat", 4 * hidden, input.height, input.width);
    do_convolution({.name = name + ".cv1.conv"}, input, concat.slice(0, hidden));
    for (std::uint32_t i = 0; i < 3; ++i) {
      if (status_.ok()) {
        status_ = builder_.max_pool(name + ".m." + i, concat.slice(i * hidden, hidden), concat.slice((i + 1) * hidden, hidden));
      }
    }
    const Map output = tensor(name, channels, input.height, input.width);
    do_convolution({.name = name + ".cv2.conv"}, concat, output);
    return output;
  }

  B &builder_;
  Status status_;
  std::uint32_t tensors_ = 0;
};

}  // namespace detail

/// Walks the network. Errors: invalid_argument ("height", "width") before any call if a side is 0 or not a multiple of kSizeMultiple;
/// otherwise the builder's error that ended the walk.
template <Builder B>
Status build(B &builder, std::uint32_t height, std::uint32_t width) {
  if (height == 0 || height % kSizeMultiple != 0) return {ErrorCode::invalid_argument, "height", -1, height, kSizeMultiple};
  if (width == 0 || width % kSizeMultiple != 0) return {ErrorCode::invalid_argument, "width", -1, width, kSizeMultiple};
  return detail::Walk<B>(builder).run(height, width);
}

}  // namespace cox::yolov5s
