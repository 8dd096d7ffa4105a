// SPDX-License-Identifier: MIT
// Conversion of many blocks at a time for mx9_pack.h and mx9_unpack.h, which check the arguments. The result has the same bits as
// isa/numbers/mx9_block.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/isa/numbers/mx9_block.h"

namespace cox::kernels::mx {

/// Positions of a block's elements: element i of block n is at first[offsets[i] + n * step]. Elements from index `elements` on are packed
/// as zero and are not unpacked.
struct Spread {
  std::array<std::size_t, isa::mx::kBlockElements> offsets{};
  std::size_t elements = isa::mx::kBlockElements;
  std::size_t step = 1;
};

/// Convert numbers to blocks. pack_blocks() packs numbers 16 * n to 16 * n + 15 into block n. pack_spread() uses the positions in `spread`.
void pack_blocks(const float *values, std::span<isa::mx::Block> blocks);
void pack_blocks(const std::uint16_t *bfloat16_values, std::span<isa::mx::Block> blocks);
void pack_spread(const float *first, const Spread &spread, std::span<isa::mx::Block> blocks);

void unpack_blocks(std::span<const isa::mx::Block> blocks, float *values);
void unpack_blocks(std::span<const isa::mx::Block> blocks, std::uint16_t *bfloat16_values);
void unpack_spread(std::span<const isa::mx::Block> blocks, const Spread &spread, float *first);

}  // namespace cox::kernels::mx
