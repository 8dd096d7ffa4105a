// SPDX-License-Identifier: MIT
// A tensor of a model, as the reader shows it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "coxswain/tflite/element_type.h"

namespace cox::tflite {

inline constexpr std::size_t kMaxRank = 6;  ///< largest number of dimensions of a tensor

/// Sizes of a tensor's dimensions, all positive; the last one is contiguous in memory. A scalar has no dimensions.
struct Shape {
  std::array<std::int32_t, kMaxRank> dimensions{};
  std::uint8_t rank = 0;

  constexpr Shape() = default;
  constexpr Shape(std::initializer_list<std::int32_t> sizes) {
    for (const std::int32_t size : sizes) dimensions[rank++] = size;
  }
  /// `index` < rank.
  [[nodiscard]] constexpr std::int32_t operator[](std::size_t index) const { return dimensions[index]; }
  /// Returns the size of dimension `index` counted from the last, which is 0; 1 if the tensor has fewer dimensions.
  [[nodiscard]] constexpr std::int32_t from_last(std::size_t index) const { return index < rank ? dimensions[rank - 1 - index] : 1; }
  /// The reader has checked that the product of a tensor's shape is below 2^31.
  [[nodiscard]] constexpr std::int32_t elements() const {
    std::int32_t product = 1;
    for (std::size_t i = 0; i < rank; ++i) product *= dimensions[i];
    return product;
  }
  /// Tensors of equal shapes have equal ranks.
  friend constexpr bool operator==(const Shape &, const Shape &) = default;
};

/// The real value of an element q is scale * (q - zero point). Scales and zero points are one a tensor, or one for each index of
/// `dimension`. The reader has checked that scales are finite and positive, and that zero points fit the tensor's type.
struct Quantisation {
  const float *scales = nullptr;
  const std::byte *zero_points = nullptr;  ///< 64 bits each; not aligned
  std::uint32_t count = 0;                 ///< number of scales; 0: the tensor is not quantised
  std::uint32_t zero_count = 0;            ///< 0: all zero points are 0; 1: one for all; or count
  std::uint32_t dimension = 0;

  [[nodiscard]] bool per_channel() const { return count > 1; }
  /// `channel` is any index if there is one scale, else below count.
  [[nodiscard]] float scale(std::size_t channel = 0) const { return count == 1 ? scales[0] : scales[channel]; }
  [[nodiscard]] std::int32_t zero_point(std::size_t channel = 0) const {
    if (zero_count == 0) return 0;
    std::int64_t value = 0;
    std::memcpy(&value, zero_points + 8 * (zero_count == 1 ? 0 : channel), sizeof(value));
    return static_cast<std::int32_t>(value);
  }
};

struct TensorView {
  std::string_view name;  ///< may hold any bytes
  ElementType type = ElementType::float32;
  Shape shape;
  std::uint32_t bytes = 0;  ///< size of all elements, below 2^31
  bool variable = false;    ///< keeps its value from one inference to the next
  /// The elements of a constant, in the file: at a multiple of the element's size. Empty for other tensors.
  std::span<const std::byte> data;
  Quantisation quantisation;

  [[nodiscard]] bool constant() const { return !data.empty(); }
};

}  // namespace cox::tflite
