// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/copy.h"

#include <algorithm>

namespace cox::kernels::mx {
namespace {

using isa::mx::kBlockBytes;
using isa::mx::kMostBlocks;
using isa::mx::kMostOffset;

/// One level of a nested loop with `count` turns. `from` and `to` are the distances between two turns, in blocks.
struct Level {
  std::uint64_t count = 1;
  std::uint64_t from = 0, to = 0;
};

constexpr bool fits_move(const Level &level) {
  return level.count == 1 || (level.count <= kMostBlocks && level.from <= kMostOffset && level.to <= kMostOffset);
}

/// Appends MOVEs that copy `run` blocks in each turn of two nested loops. If one loop fits a MOVE's fields, the engine runs that loop.
Status append_runs(Stream &stream, std::uint64_t from, std::uint64_t to, std::uint64_t run, Level inner, Level outer) {
  // If both loops fit a MOVE, `inner` becomes the longer one, because each turn of `outer` needs a MOVE of its own.
  if (!fits_move(inner) || (fits_move(outer) && outer.count > inner.count)) std::swap(inner, outer);
  const bool engine = fits_move(inner);
  const std::uint64_t repeats = engine ? 1 : inner.count;
  for (std::uint64_t i = 0; i < outer.count; ++i) {
    for (std::uint64_t j = 0; j < repeats; ++j) {
      for (std::uint64_t done = 0; done < run; done += kMostBlocks) {
        isa::mx::Move move;
        move.from = from + (i * outer.from + j * inner.from + done) * kBlockBytes;
        move.to = to + (i * outer.to + j * inner.to + done) * kBlockBytes;
        move.run = static_cast<std::uint32_t>(std::min<std::uint64_t>(run - done, kMostBlocks));
        if (engine && inner.count > 1) {
          move.count = static_cast<std::uint32_t>(inner.count);
          move.from_stride = static_cast<std::uint32_t>(inner.from);
          move.to_stride = static_cast<std::uint32_t>(inner.to);
        }
        if (const Status status = stream.append(move); !status) return status;
      }
    }
  }
  return {};
}

}  // namespace

Status append_copy(Stream &stream, std::uint64_t from, std::uint64_t to, std::uint64_t count) {
  return append_runs(stream, from, to, count, {}, {});
}

Status append_copy(Stream &stream, const Region &from, const Region &to, std::uint32_t blocks, std::uint32_t rows, std::uint32_t columns) {
  std::uint64_t run = columns;
  Level row{rows, from.row_stride, to.row_stride};
  Level plane{blocks, from.plane_stride, to.plane_stride};
  if (rows == 1 || (from.row_stride == run && to.row_stride == run)) {
    run *= rows;
    row = {};
    if (blocks == 1 || (from.plane_stride == run && to.plane_stride == run)) {
      run *= blocks;
      plane = {};
    }
  }
  return append_runs(stream, from.address, to.address, run, row, plane);
}

}  // namespace cox::kernels::mx
