// SPDX-License-Identifier: MIT
// Packing of many blocks of bytes at a time for mx9_pack_u8.h, which checks the arguments.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/byte_conversion.h"

namespace cox::kernels::mx {

/// Positions of a block's bytes, in pairs of neighbours: elements 2 * i and 2 * i + 1 of block n are at
/// first + 2 * pair_offsets[i] + n * step. An element whose byte in `present` is 0 instead of 0xFF is packed as zero; its offset must be
/// valid all the same.
struct ByteSpread {
  std::array<std::uint16_t, isa::mx::kPairs> pair_offsets{};
  std::array<std::uint8_t, isa::mx::kBlockElements> present{};
  std::size_t step = isa::mx::kBlockElements;
};

/// Packs bytes 16 * n to 16 * n + 15 into block n.
void pack_bytes(const std::uint8_t *values, const ByteConversion &conversion, std::span<isa::mx::Block> blocks);
/// Packs the bytes at the positions in `spread`. `first` and `spread.step` are even.
void pack_byte_spread(const std::uint8_t *first, const ByteSpread &spread, const ByteConversion &conversion,
                      std::span<isa::mx::Block> blocks);

}  // namespace cox::kernels::mx
