// SPDX-License-Identifier: MIT
// Calls the assembly of byte_blocks_mve.S, and checks the numbers that it uses.
#include "coxswain/kernels/mx/byte_blocks_mve.h"

#include <cstddef>

#include "coxswain/kernels/mx/byte_blocks.h"

namespace cox::kernels::mx {

using isa::mx::Block;

static_assert(offsetof(ByteTables, codes) == 0 && offsetof(ByteTables, ranks) == BYTE_TABLES_RANKS);
static_assert(offsetof(ByteTables, exponents) == BYTE_TABLES_EXPONENTS);
static_assert(sizeof(ByteTables::codes[0]) == 1U << BYTE_TABLES_RANK_SHIFT && sizeof(ByteTables::codes[0][0]) == BYTE_TABLES_SHIFTED);
// The lowest byte of the address of a rank's codes is 0: it is the value with which the search for the next block's rank starts.
static_assert(alignof(ByteConversion) % 256 == 0 && BYTE_TABLES_RANK_SHIFT >= 8);
static_assert(offsetof(ByteSpread, pair_offsets) == BYTE_SPREAD_PAIR_OFFSETS && offsetof(ByteSpread, present) == BYTE_SPREAD_PRESENT);
static_assert(offsetof(ByteSpread, step) == BYTE_SPREAD_STEP);
static_assert(offsetof(Block, exponent) == 0 && offsetof(Block, pair_shift) == 1 && offsetof(Block, elements) == BLOCK_ELEMENTS);
static_assert(sizeof(Block) == BLOCK_BYTES);

extern "C" {
void cox_mx_pack_bytes(const std::uint8_t *values, Block *blocks, std::size_t count, const ByteTables *tables);
void cox_mx_pack_byte_spread(const std::uint8_t *first, Block *blocks, std::size_t count, const ByteTables *tables,
                             const ByteSpread *spread);
}

void pack_bytes(const std::uint8_t *values, const ByteConversion &conversion, std::span<Block> blocks) {
  cox_mx_pack_bytes(values, blocks.data(), blocks.size(), &conversion.tables());
}

void pack_byte_spread(const std::uint8_t *first, const ByteSpread &spread, const ByteConversion &conversion, std::span<Block> blocks) {
  cox_mx_pack_byte_spread(first, blocks.data(), blocks.size(), &conversion.tables(), &spread);
}

}  // namespace cox::kernels::mx
