// SPDX-License-Identifier: MIT
// A quantised network as a list of layers. Reference, weights packer and lowering work from the same list (README.md).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace cox::pim_networks {

enum class Kind : std::uint8_t {
  convolution,  ///< with a shortcut: the sum with another map behind it
  maximum_pool,
  average_pool,
};

inline constexpr std::int8_t kImage = -1;       ///< as an input: the network's input
inline constexpr std::int8_t kNoShortcut = -2;  ///< there is no shortcut

/// A layer's maps are INT8, rows of pixels, channels innermost.
struct Layer {
  const char *name;
  Kind kind;
  std::int8_t input;     ///< number of the layer whose output is the input, or kImage
  std::int8_t shortcut;  ///< number of the layer whose output is added, or kNoShortcut
  std::uint8_t kernel, stride, padding;
  std::uint16_t side;  ///< height and width of the output
  std::uint16_t channels;
  std::int8_t sum_zero_point;  ///< of the convolution's output
  std::int8_t zero_point;      ///< of the layer's output; differs from sum_zero_point only with a shortcut

  [[nodiscard]] constexpr bool is_convolution() const { return kind == Kind::convolution; }
  [[nodiscard]] constexpr bool has_shortcut() const { return shortcut != kNoShortcut; }
  [[nodiscard]] constexpr std::uint32_t elements() const { return std::uint32_t{side} * side * channels; }
};

struct Network {
  const char *name;
  std::uint16_t image_side, image_channels;
  std::int8_t image_zero_point;
  std::span<const Layer> layers;

  [[nodiscard]] constexpr std::uint32_t side_of(std::int8_t map) const { return map == kImage ? image_side : at(map).side; }
  [[nodiscard]] constexpr std::uint32_t channels_of(std::int8_t map) const { return map == kImage ? image_channels : at(map).channels; }
  [[nodiscard]] constexpr std::int32_t zero_point_of(std::int8_t map) const {
    return map == kImage ? image_zero_point : at(map).zero_point;
  }
  [[nodiscard]] constexpr const Layer &at(std::int8_t number) const { return layers[static_cast<std::size_t>(number)]; }
  /// Weights of a filter.
  [[nodiscard]] constexpr std::uint32_t filter_weights(const Layer &layer) const {
    return std::uint32_t{layer.kernel} * layer.kernel * channels_of(layer.input);
  }
  [[nodiscard]] constexpr std::uint32_t image_elements() const { return std::uint32_t{image_side} * image_side * image_channels; }
};

inline constexpr std::int8_t kLeast = -128;  ///< as a zero point, saturation is ReLU

/// The network of examples/digits/network.json, with INT8 logits.
inline constexpr std::array<Layer, 6> kDigitsLayers = {{
    {"conv1", Kind::convolution, kImage, kNoShortcut, 3, 1, 1, 8, 16, kLeast, kLeast},
    {"conv2", Kind::convolution, 0, kNoShortcut, 3, 1, 1, 8, 32, kLeast, kLeast},
    {"pool", Kind::maximum_pool, 1, kNoShortcut, 2, 2, 0, 4, 32, kLeast, kLeast},
    {"residual", Kind::convolution, 2, 2, 3, 1, 1, 4, 32, 4, kLeast},
    {"average", Kind::average_pool, 3, kNoShortcut, 2, 2, 0, 2, 32, kLeast, kLeast},
    {"logits", Kind::convolution, 4, kNoShortcut, 2, 2, 0, 1, 10, 0, 0},
}};
inline constexpr Network kDigits = {"digits", 8, 1, kLeast, kDigitsLayers};

// ResNet-18 at 224 x 224. A block is two convolutions; the second one adds the block's input, or that input's projection.
namespace detail {
constexpr Layer first(const char *name, std::int8_t input, std::uint8_t stride, std::uint16_t side, std::uint16_t channels) {
  return {name, Kind::convolution, input, kNoShortcut, 3, stride, 1, side, channels, kLeast, kLeast};
}
constexpr Layer second(const char *name, std::int8_t input, std::int8_t shortcut, std::uint16_t side, std::uint16_t channels) {
  return {name, Kind::convolution, input, shortcut, 3, 1, 1, side, channels, 0, kLeast};
}
constexpr Layer projection(const char *name, std::int8_t input, std::uint16_t side, std::uint16_t channels) {
  return {name, Kind::convolution, input, kNoShortcut, 1, 2, 0, side, channels, 0, 0};
}
}  // namespace detail
inline constexpr std::array<Layer, 23> kResnet18Layers = {{
    {"conv1", Kind::convolution, kImage, kNoShortcut, 7, 2, 3, 112, 64, kLeast, kLeast},
    {"pool", Kind::maximum_pool, 0, kNoShortcut, 3, 2, 1, 56, 64, kLeast, kLeast},
    detail::first("1.1.1", 1, 1, 56, 64),
    detail::second("1.1.2", 2, 1, 56, 64),
    detail::first("1.2.1", 3, 1, 56, 64),
    detail::second("1.2.2", 4, 3, 56, 64),
    detail::projection("2.1.p", 5, 28, 128),
    detail::first("2.1.1", 5, 2, 28, 128),
    detail::second("2.1.2", 7, 6, 28, 128),
    detail::first("2.2.1", 8, 1, 28, 128),
    detail::second("2.2.2", 9, 8, 28, 128),
    detail::projection("3.1.p", 10, 14, 256),
    detail::first("3.1.1", 10, 2, 14, 256),
    detail::second("3.1.2", 12, 11, 14, 256),
    detail::first("3.2.1", 13, 1, 14, 256),
    detail::second("3.2.2", 14, 13, 14, 256),
    detail::projection("4.1.p", 15, 7, 512),
    detail::first("4.1.1", 15, 2, 7, 512),
    detail::second("4.1.2", 17, 16, 7, 512),
    detail::first("4.2.1", 18, 1, 7, 512),
    detail::second("4.2.2", 19, 18, 7, 512),
    {"average", Kind::average_pool, 20, kNoShortcut, 7, 7, 0, 1, 512, kLeast, kLeast},
    {"classes", Kind::convolution, 21, kNoShortcut, 1, 1, 0, 1, 1000, 0, 0},
}};
inline constexpr Network kResnet18 = {"resnet18", 224, 3, 0, kResnet18Layers};

}  // namespace cox::pim_networks
