// SPDX-License-Identifier: MIT
// The layout of feature maps and weight records in memory (docs/isa/tile.md, Feature maps, Weights). Sizes are in bytes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cox::isa::tile {

inline constexpr std::int64_t kPixelAlignment = 8;         ///< alignment of each pixel in L2, and of each position of a weight record
inline constexpr std::int64_t kRecordParameterBytes = 32;  ///< after the weights of a record: FP32 scale, bias, slope, and zeros

/// Rounds `value` up to a multiple of `alignment`. `value` is not negative, `alignment` is positive.
[[nodiscard]] constexpr std::int64_t align_up(std::int64_t value, std::int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Bytes of a pixel, or of the channels at one position of a weight record, with padding.
[[nodiscard]] constexpr std::int64_t padded_pixel(std::int64_t bytes) { return align_up(bytes, kPixelAlignment); }

/// Bytes of the INT8 weights of one output channel, without its parameters. No overflow if rows * columns < 2^32 and channels < 2^16.
[[nodiscard]] constexpr std::int64_t record_weight_bytes(std::int64_t channels, std::int64_t rows, std::int64_t columns) {
  return rows * columns * padded_pixel(channels);
}

/// Bytes of a whole record of INT8 weights.
[[nodiscard]] constexpr std::int64_t record_bytes(std::int64_t channels, std::int64_t rows, std::int64_t columns) {
  return record_weight_bytes(channels, rows, columns) + kRecordParameterBytes;
}

/// Rows or columns of a map.
struct Interval {
  std::int64_t first = 0;
  std::int64_t length = 0;
};

/// A window of `kernel` rows or columns takes `steps` positions, `stride` apart, the first at `first`. Returns the interval from
/// the first to the last row or column that the window covers in a map of `size` rows or columns.
[[nodiscard]] constexpr Interval covered(std::int64_t first, std::int64_t steps, std::int64_t stride, std::int64_t kernel,
                                         std::int64_t size) {
  const std::int64_t begin = std::clamp<std::int64_t>(first, 0, size);
  const std::int64_t end = std::clamp<std::int64_t>(first + (steps - 1) * stride + kernel, begin, size);
  return {begin, end - begin};
}

}  // namespace cox::isa::tile
