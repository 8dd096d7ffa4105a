// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/block_conversion.h"

#include "coxswain/isa/numbers/bfloat16.h"

namespace cox::kernels::mx {

using isa::mx::Block;
using isa::mx::kBlockElements;

void pack_blocks(const float *values, std::span<Block> blocks) {
  for (Block &block : blocks) {
    block = isa::mx::quantise(std::span<const float, kBlockElements>(values, kBlockElements));
    values += kBlockElements;
  }
}

void pack_blocks(const std::uint16_t *bfloat16_values, std::span<Block> blocks) {
  std::array<float, kBlockElements> values{};
  for (Block &block : blocks) {
    for (float &value : values) value = isa::numbers::bfloat16_to_float(*bfloat16_values++);
    block = isa::mx::quantise(values);
  }
}

void pack_spread(const float *first, const Spread &spread, std::span<Block> blocks) {
  std::array<float, kBlockElements> values{};
  for (Block &block : blocks) {
    for (std::size_t i = 0; i < spread.elements; ++i) values[i] = first[spread.offsets[i]];
    block = isa::mx::quantise(values);
    first += spread.step;
  }
}

void unpack_blocks(std::span<const Block> blocks, float *values) {
  for (const Block &block : blocks) {
    isa::mx::dequantise(block, std::span<float, kBlockElements>(values, kBlockElements));
    values += kBlockElements;
  }
}

void unpack_blocks(std::span<const Block> blocks, std::uint16_t *bfloat16_values) {
  std::array<float, kBlockElements> values{};
  for (const Block &block : blocks) {
    isa::mx::dequantise(block, values);
    for (const float value : values) *bfloat16_values++ = isa::numbers::bfloat16_from_float(value);
  }
}

void unpack_spread(std::span<const Block> blocks, const Spread &spread, float *first) {
  std::array<float, kBlockElements> values{};
  for (const Block &block : blocks) {
    isa::mx::dequantise(block, values);
    for (std::size_t i = 0; i < spread.elements; ++i) first[spread.offsets[i]] = values[i];
    first += spread.step;
  }
}

}  // namespace cox::kernels::mx
