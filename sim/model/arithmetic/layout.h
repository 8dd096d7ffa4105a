// SPDX-License-Identifier: MIT
// Where things lie: pixels of a feature map, records of weights (docs/isa/tile.md, Feature maps, Weights).
#pragma once

#include <cstdint>

#include "isa/tile/operation.h"

namespace cox::model::arithmetic {

/// FP32 scale, FP32 bias, zeros; after the weights of each record.
inline constexpr std::uint32_t kParameterBytes = 32;

[[nodiscard]] constexpr std::int64_t pixel_address(const isa::tile::Map &map, std::int64_t image, std::int64_t row, std::int64_t column) {
  return map.base + image * map.image_bytes + row * map.row_bytes + column * static_cast<std::int64_t>(map.pixel_bytes);
}

[[nodiscard]] constexpr std::uint32_t align8(std::uint32_t channels) { return (channels + 7u) & ~7u; }

/// Bytes of weights in a record, before its parameters.
[[nodiscard]] constexpr std::int64_t weight_bytes(const isa::tile::Convolution &operation) {
  return static_cast<std::int64_t>(operation.kernel_height) * operation.kernel_width * align8(operation.channels);
}

}  // namespace cox::model::arithmetic
