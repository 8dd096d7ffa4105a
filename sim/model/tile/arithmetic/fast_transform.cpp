// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "sim/model/tile/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/scratch.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::StridedMap;
using isa::tile::Transform;

/// Number of bytes from the map's base to the end of its last element.
std::int64_t bytes_of(const Transform &operation, const StridedMap &map) {
  const std::int64_t last = std::int64_t{operation.channels} - 1;
  const std::int64_t channel = last / map.block * map.block_step + std::min<std::int64_t>(last, map.block - 1) * map.channel;
  const std::int64_t bits = (std::int64_t{operation.batch} - 1) * map.image + channel + (std::int64_t{operation.height} - 1) * map.row +
                            (std::int64_t{operation.width} - 1) * map.column + operation.element_bits;
  return (bits + 7) / 8;
}

/// Calls `copy(in, out)` for each element. `in` is its distance in bits from the base of the source, and `out` its distance from the base
/// of the destination.
template <typename Copy>
void walk(const Transform &operation, const Copy &copy) {
  const StridedMap &from = operation.from;
  const StridedMap &to = operation.to;
  for (std::int64_t n = 0; n < operation.batch; ++n) {
    for (std::int64_t c = 0; c < operation.channels; ++c) {
      const std::int64_t in = n * from.image + c / from.block * from.block_step + c % from.block * from.channel;
      const std::int64_t out = n * to.image + c / to.block * to.block_step + c % to.block * to.channel;
      for (std::int64_t h = 0; h < operation.height; ++h) {
        for (std::int64_t w = 0; w < operation.width; ++w) copy(in + h * from.row + w * from.column, out + h * to.row + w * to.column);
      }
    }
  }
}

template <typename Element>
void copy_elements(const Transform &operation, const std::byte *from, std::byte *to) {
  walk(operation, [&](std::int64_t in, std::int64_t out) { std::memcpy(to + out / 8, from + in / 8, sizeof(Element)); });
}

void copy_nibbles(const Transform &operation, const std::byte *from, std::byte *to) {
  walk(operation, [&](std::int64_t, std::int64_t out) { to[out / 8] = std::byte{0}; });  // clear first: each element fills half a byte
  walk(operation, [&](std::int64_t in, std::int64_t out) { to[out / 8] |= ((from[in / 8] >> (in % 8)) & std::byte{0x0F}) << (out % 8); });
}

}  // namespace

void transform(const Transform &operation, const Memories &memories) {
  if (operation.batch == 0 || operation.channels == 0 || operation.height == 0 || operation.width == 0) return;
  // The source is copied first, because the destination may overlap it. Otherwise walk() could overwrite elements that it has not read yet.
  const std::int64_t source_bytes = bytes_of(operation, operation.from);
  std::byte *from = scratch(ScratchUse::source, source_bytes);
  memories.source.read(operation.from.base, from, source_bytes);
  const std::int64_t bytes = bytes_of(operation, operation.to);
  std::byte *to = memories.destination.contiguous(operation.to.base, bytes);
  const bool staged = to == nullptr;
  if (staged) {
    to = scratch(ScratchUse::destination, bytes);
    memories.destination.read(operation.to.base, to, bytes);
  }
  switch (operation.element_bits) {
    case 4: copy_nibbles(operation, from, to); break;
    case 8: copy_elements<std::uint8_t>(operation, from, to); break;
    case 16: copy_elements<std::uint16_t>(operation, from, to); break;
    default: copy_elements<std::uint32_t>(operation, from, to); break;
  }
  if (staged) memories.destination.write(operation.to.base, to, bytes);
}

}  // namespace cox::model::arithmetic::fast
