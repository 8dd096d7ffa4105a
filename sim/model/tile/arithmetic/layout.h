// SPDX-License-Identifier: MIT
// The addresses of an operation's elements (docs/isa/tile.md, Feature maps, Weights).
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/layout.h"
#include "coxswain/isa/tile/operation.h"

namespace cox::model::arithmetic {

[[nodiscard]] constexpr std::int64_t pixel_address(const isa::tile::Map &map, std::int64_t image, std::int64_t row, std::int64_t column) {
  return map.base + image * map.image_bytes + row * map.row_bytes + column * static_cast<std::int64_t>(map.pixel_bytes);
}

}  // namespace cox::model::arithmetic
