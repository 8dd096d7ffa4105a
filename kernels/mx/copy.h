// SPDX-License-Identifier: MIT
// Copies of blocks as MOVEs (docs/kernels/mx.md, decompositions). Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// A rectangle of a map in all its channel blocks, given by its first block and the distances between rows and between channel blocks.
struct Region {
  std::uint64_t address = 0;
  std::uint64_t row_stride = 0;    ///< blocks from one row to the next
  std::uint64_t plane_stride = 0;  ///< blocks from one channel block to the next
};

/// Returns the part of `map` that begins at the given row and column.
[[nodiscard]] constexpr Region region_of(const Tensor &map, std::uint32_t row, std::uint32_t column) {
  const std::uint64_t block = std::uint64_t{row} * map.width + column;
  return {map.address + block * isa::mx::kBlockBytes, map.width, map.plane()};
}

/// Appends the copy of `count` contiguous blocks (at least 1). Errors: those of append(); instructions that were appended before the error
/// stay.
Status append_copy(Stream &stream, std::uint64_t from, std::uint64_t to, std::uint64_t count);

/// Appends the copy of a rectangle of `rows` x `columns` in each of `blocks` channel blocks; all counts are at least 1. It is one MOVE if
/// rows or channel blocks are contiguous in both regions. Otherwise it is one MOVE for each channel block or for each row, whichever needs
/// fewer.
Status append_copy(Stream &stream, const Region &from, const Region &to, std::uint32_t blocks, std::uint32_t rows, std::uint32_t columns);

}  // namespace cox::kernels::mx
