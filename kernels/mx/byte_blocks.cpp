// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/byte_blocks.h"

#include <algorithm>

namespace cox::kernels::mx {

using isa::mx::Block;
using isa::mx::kBlockElements;
using isa::mx::kPairs;

namespace {

using Bytes = std::array<std::uint8_t, kBlockElements>;

/// Packs the bytes of one block. `ranks` are those of the bytes, or 0 for elements that are packed as zero.
Block pack(const Bytes &bytes, const Bytes &ranks, const ByteTables &tables) {
  const std::uint8_t rank = *std::max_element(ranks.begin(), ranks.end());
  Block block;
  block.exponent = tables.exponents[rank];
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    const bool shifted = std::max(ranks[2 * pair], ranks[2 * pair + 1]) != rank;
    if (shifted) block.pair_shift = static_cast<std::uint8_t>(block.pair_shift | 1U << pair);
    for (const std::size_t i : {2 * pair, 2 * pair + 1}) block.elements[i] = tables.codes[rank][shifted ? 1 : 0][bytes[i]];
  }
  return block;
}

}  // namespace

void pack_bytes(const std::uint8_t *values, const ByteConversion &conversion, std::span<Block> blocks) {
  const ByteTables &tables = conversion.tables();
  Bytes bytes;
  Bytes ranks;
  for (Block &block : blocks) {
    std::copy_n(values, kBlockElements, bytes.begin());
    std::transform(bytes.begin(), bytes.end(), ranks.begin(), [&tables](std::uint8_t byte) { return tables.ranks[byte]; });
    block = pack(bytes, ranks, tables);
    values += kBlockElements;
  }
}

void pack_byte_spread(const std::uint8_t *first, const ByteSpread &spread, const ByteConversion &conversion, std::span<Block> blocks) {
  const ByteTables &tables = conversion.tables();
  Bytes bytes;
  Bytes ranks;
  for (Block &block : blocks) {
    for (std::size_t i = 0; i < kBlockElements; ++i) {
      bytes[i] = first[std::size_t{2} * spread.pair_offsets[i / 2] + i % 2];
      ranks[i] = tables.ranks[bytes[i]] & spread.present[i];
    }
    block = pack(bytes, ranks, tables);
    for (std::size_t i = 0; i < kBlockElements; ++i) block.elements[i] &= spread.present[i];
    first += spread.step;
  }
}

}  // namespace cox::kernels::mx
