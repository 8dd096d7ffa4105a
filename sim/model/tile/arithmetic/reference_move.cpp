// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/element.h"
#include "sim/model/tile/arithmetic/layout.h"
#include "sim/model/tile/arithmetic/reference.h"
#include "sim/model/tile/arithmetic/writes.h"

namespace cox::model::arithmetic::reference {
namespace {

using isa::tile::StridedMap;

std::int64_t bit_of(const StridedMap &map, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
  return 8 * map.base + n * map.image + c / map.block * map.block_step + c % map.block * map.channel + h * map.row + w * map.column;
}

}  // namespace

void move(const isa::tile::Move &operation, const Memories &memories) {
  const unsigned from_bits = bits_of(operation.from.format.format);
  const unsigned to_bits = bits_of(operation.to.format.format);
  Writes writes;
  for (std::uint32_t n = 0; n < operation.batch; ++n) {
    for (std::uint32_t h = 0; h < operation.height; ++h) {
      for (std::uint32_t w = 0; w < operation.width; ++w) {
        for (std::uint32_t c = 0; c < operation.channels; ++c) {
          const std::int64_t from = element_bit(operation.from, pixel_address(operation.from, n, h, w), c);
          const std::uint32_t element = read_element(memories.source, from, from_bits);
          const std::int64_t to = element_bit(operation.to, pixel_address(operation.to, n, h, w), c);
          writes.put(to, to_bits, convert(element, operation.from.format, operation.to.format));
        }
      }
    }
  }
  writes.commit(memories.destination);
}

void transform(const isa::tile::Transform &operation, const Memories &memories) {
  Writes writes;
  for (std::uint32_t n = 0; n < operation.batch; ++n) {
    for (std::uint32_t c = 0; c < operation.channels; ++c) {
      for (std::uint32_t h = 0; h < operation.height; ++h) {
        for (std::uint32_t w = 0; w < operation.width; ++w) {
          const std::uint32_t element = read_element(memories.source, bit_of(operation.from, n, c, h, w), operation.element_bits);
          writes.put(bit_of(operation.to, n, c, h, w), operation.element_bits, element);
        }
      }
    }
  }
  writes.commit(memories.destination);
}

}  // namespace cox::model::arithmetic::reference
