// SPDX-License-Identifier: MIT
// TRANSPOSE in square blocks, whose lines stay in the first-level cache.
#include <algorithm>

#include "sim/model/unity/arithmetic/elements.h"
#include "sim/model/unity/arithmetic/fast.h"

namespace cox::model::unity::fast {
namespace {

using isa::unity::Transpose;

/// An axis of the result: its extent, and the distance of its elements in source and result.
struct Axis {
  std::uint64_t extent = 1, from = 0, to = 0;
};

constexpr std::uint64_t kSide = 16;

/// Rows are neighbours in the source, columns are neighbours in the result.
template <typename Element>
void transpose_plane(const Element *source, Element *result, const Axis &row, const Axis &column) {
  for (std::uint64_t r0 = 0; r0 < row.extent; r0 += kSide) {
    const std::uint64_t rows = std::min(kSide, row.extent - r0);
    for (std::uint64_t c0 = 0; c0 < column.extent; c0 += kSide) {
      const std::uint64_t columns = std::min(kSide, column.extent - c0);
      for (std::uint64_t r = r0; r < r0 + rows; ++r) {
        for (std::uint64_t c = c0; c < c0 + columns; ++c) result[r * row.to + c] = source[c * column.from + r];
      }
    }
  }
}

template <typename Element>
void transpose_all(const Transpose &operation, Memory &memory) {
  const auto *source = reinterpret_cast<const Element *>(read(memory, operation.source));
  auto *result = reinterpret_cast<Element *>(write(memory, operation.result));
  std::array<std::uint64_t, 4> steps{};
  std::uint64_t step = 1;
  for (unsigned axis = 4; axis-- > 0; step *= operation.extents[axis]) steps[axis] = step;
  std::array<Axis, 4> axes{};
  step = 1;
  unsigned neighbours = 3;  // the axis of the result along which elements are neighbours in the source
  for (unsigned i = 4; i-- > 0; step *= axes[i].extent) {
    axes[i] = {operation.extents[operation.order[i]], steps[operation.order[i]], step};
    if (operation.order[i] == 3) neighbours = i;
  }
  const Axis column = axes[3], row = neighbours == 3 ? Axis{} : axes[neighbours];
  if (neighbours != 3) axes[neighbours] = {};
  for (std::uint64_t a = 0; a < axes[0].extent; ++a) {
    for (std::uint64_t b = 0; b < axes[1].extent; ++b) {
      for (std::uint64_t c = 0; c < axes[2].extent; ++c) {
        const Element *from = source + a * axes[0].from + b * axes[1].from + c * axes[2].from;
        Element *to = result + a * axes[0].to + b * axes[1].to + c * axes[2].to;
        if (neighbours == 3) {
          std::copy_n(from, column.extent, to);
        } else {
          transpose_plane(from, to, row, column);
        }
      }
    }
  }
}

}  // namespace

bool transpose(const Transpose &operation, Memory &memory) {
  using Word8 [[gnu::may_alias]] = std::uint8_t;
  using Word16 [[gnu::may_alias]] = std::uint16_t;
  using Word32 [[gnu::may_alias]] = std::uint32_t;
  using Word64 [[gnu::may_alias]] = std::uint64_t;
  switch (bits_of(operation.source.unit)) {
    case 8: transpose_all<Word8>(operation, memory); return true;
    case 16: transpose_all<Word16>(operation, memory); return true;
    case 32: transpose_all<Word32>(operation, memory); return true;
    case 64: transpose_all<Word64>(operation, memory); return true;
    default: return false;
  }
}

}  // namespace cox::model::unity::fast
