// SPDX-License-Identifier: MIT
// The part of the source that the kernels of a convolution cover, and the positions of the kernels' taps in it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/kernels.h"
#include "sim/model/tile/arithmetic/scratch.h"

namespace cox::model::arithmetic::fast {

/// Number of rows that the kernels of all outputs cover, padding included.
[[nodiscard]] inline std::int64_t covered_rows(const isa::tile::Convolution &operation) {
  return (std::int64_t{operation.height} - 1) * operation.stride_height +
         (std::int64_t{operation.kernel_height} - 1) * operation.dilation_height + 1;
}
[[nodiscard]] inline std::int64_t covered_columns(const isa::tile::Convolution &operation) {
  return (std::int64_t{operation.width} - 1) * operation.stride_width +
         (std::int64_t{operation.kernel_width} - 1) * operation.dilation_width + 1;
}

[[nodiscard]] inline std::uint32_t tap_count(const isa::tile::Convolution &operation) {
  return operation.kernel_height * operation.kernel_width;
}

/// Number of lines of packed weights for the channels of a group at one tap.
[[nodiscard]] inline std::uint32_t lines_of(const isa::tile::Convolution &operation) {
  return (operation.channels + kLineChannels - 1) / kLineChannels;
}

/// The rows (or columns) of the source that lie within a range of the upsampled map. The range has `count` positions from `first` on. In
/// the upsampled map, the rows of the source are `step` positions apart.
struct Inside {
  std::int64_t begin = 0, end = 0;  ///< rows or columns of the source

  Inside(std::int64_t first, std::int64_t count, std::int64_t step, std::int64_t size)
      : begin(first > 0 ? (first + step - 1) / step : 0), end(std::max(begin, std::min(ceiling(first + count, step), size))) {}
  [[nodiscard]] std::int64_t count() const { return end - begin; }

 private:
  static std::int64_t ceiling(std::int64_t value, std::int64_t step) { return value > 0 ? (value + step - 1) / step : 0; }
};

/// The pixels under the kernels, in host memory. `Element` is a byte, or the type of the numbers to which the source was converted.
/// Distances are counted in elements.
template <typename Element>
struct Input {
  const Element *corner = nullptr;  ///< the pixel under the corner of the kernel for output (0, 0, 0)
  std::int64_t image = 0, row = 0, pixel = 0;

  [[nodiscard]] const Element *at(const isa::tile::Convolution &operation, std::int64_t n, std::int64_t h, std::int64_t w) const {
    return corner + n * image + h * operation.stride_height * row + w * operation.stride_width * pixel;
  }
  /// The distances of the kernel's taps from its corner.
  [[nodiscard]] const std::int64_t *taps(const isa::tile::Convolution &operation) const {
    const auto bytes = static_cast<std::int64_t>(tap_count(operation) * sizeof(std::int64_t));
    auto *first = reinterpret_cast<std::int64_t *>(scratch(ScratchUse::taps, bytes));
    std::int64_t *tap = first;
    for (std::uint32_t r = 0; r < operation.kernel_height; ++r) {
      for (std::uint32_t s = 0; s < operation.kernel_width; ++s)
        *tap++ = std::int64_t{r} * operation.dilation_height * row + std::int64_t{s} * operation.dilation_width * pixel;
    }
    return first;
  }
};

/// Steps through the output pixels image by image, row by row, and column by column.
struct PixelWalk {
  const isa::tile::Convolution &operation;
  std::int64_t image = 0, row = 0, column = 0;

  void next() {
    if (++column < operation.width) return;
    column = 0;
    if (++row < operation.height) return;
    row = 0;
    ++image;
  }
};

}  // namespace cox::model::arithmetic::fast
