// SPDX-License-Identifier: MIT
// Copies of blocks as MOVEs (docs/kernels/mx.md, decompositions). Of the kernels' inside.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "kernels/mx/stream.h"
#include "kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// A part of a map: columns of rows of channel blocks, from its first block on.
struct Region {
  std::uint64_t address = 0;
  std::uint64_t row_stride = 0;    ///< blocks from a row to the next
  std::uint64_t plane_stride = 0;  ///< blocks from a channel block to the next
};

/// The part of `map` that begins at a row and column.
[[nodiscard]] constexpr Region region_of(const Tensor &map, std::uint32_t row, std::uint32_t column) {
  const std::uint64_t block = std::uint64_t{row} * map.width + column;
  return {map.address + block * isa::mx::kBlockBytes, map.width, map.plane()};
}

/// Appends the copy of `count` blocks (at least 1) that lie one behind the other. Errors are append()'s: what was appended before stays.
Status append_copy(Stream &stream, std::uint64_t from, std::uint64_t to, std::uint64_t count);

/// Appends the copy of `columns` of `rows` of `blocks` channel blocks (at least 1 each): one MOVE where rows or channel blocks lie one
/// behind the other in both, else one for each channel block or row, whichever are fewer.
Status append_copy(Stream &stream, const Region &from, const Region &to, std::uint32_t blocks, std::uint32_t rows, std::uint32_t columns);

}  // namespace cox::kernels::mx
