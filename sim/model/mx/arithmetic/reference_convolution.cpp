// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "coxswain/isa/numbers/clamped_exponential.h"
#include "sim/model/mx/arithmetic/block_memory.h"
#include "sim/model/mx/arithmetic/reference.h"

namespace cox::model::mx::reference {
namespace {

using isa::mx::Block;
using isa::mx::ConvAct;
using isa::mx::kBlockElements;

/// An element with the shift of its pair, as an integer: (-1)^s * M * 2^(1 - D), which is twice the shifted M.
std::int32_t element(const Block &block, std::uint32_t index) {
  const std::int32_t m = block.elements[index] & 0x7F;
  const std::int32_t magnitude = (block.pair_shift >> (index / 2) & 1) != 0 ? m : 2 * m;
  return block.elements[index] >= 0x80 ? -magnitude : magnitude;
}

/// The dot product of two blocks: the exact sum of the products, rounded once.
float product(const Block &a, const Block &b) {
  if (a.exponent == isa::mx::kNanExponent || b.exponent == isa::mx::kNanExponent) return std::numeric_limits<float>::quiet_NaN();
  if (a.exponent == 0 || b.exponent == 0) return 0.0F;
  std::int32_t sum = 0;
  for (std::uint32_t i = 0; i < kBlockElements; ++i) sum += element(a, i) * element(b, i);
  // A double holds the product for all exponents.
  return static_cast<float>(std::ldexp(static_cast<double>(sum), a.exponent + b.exponent - 254 - 14));
}

float activate(float x, isa::mx::Activation activation) {
  switch (activation) {
    case isa::mx::Activation::None: return x;
    case isa::mx::Activation::SiLU: return isa::numbers::silu(x);
    case isa::mx::Activation::ReLU: return x > 0.0F || std::isnan(x) ? x : 0.0F;
  }
  return x;
}

/// Sixteen output channels and their weights.
struct Group {
  const std::byte *weights = nullptr;
  const std::byte *biases = nullptr;
};

float convolve_one(const ConvAct &op, const std::byte *input, const Group &group, std::uint32_t channel, std::uint32_t row,
                   std::uint32_t column) {
  const isa::mx::Map &map = op.input;
  float accumulator = 0.0F;
  for (std::uint32_t r = 0; r < op.kernel; ++r) {
    const std::int64_t y = std::int64_t{row} * op.stride + r - op.padding;
    if (y < 0 || y >= map.height) continue;
    for (std::uint32_t s = 0; s < op.kernel; ++s) {
      const std::int64_t x = std::int64_t{column} * op.stride + s - op.padding;
      if (x < 0 || x >= map.width) continue;
      for (std::uint32_t c = 0; c < map.blocks; ++c) {
        const auto pixel = static_cast<std::uint64_t>((std::int64_t{c} * map.height + y) * map.width + x);
        const std::uint64_t weight = ((std::uint64_t{r} * op.kernel + s) * map.blocks + c) * kBlockElements + channel;
        accumulator = accumulator + product(load_block(input, pixel), load_block(group.weights, weight));
      }
    }
  }
  float bias = 0.0F;
  std::memcpy(&bias, group.biases + std::size_t{channel} * sizeof bias, sizeof bias);
  return activate(accumulator + bias, op.activation);
}

}  // namespace

void convolve(const ConvAct &op, const Operands &operands) {
  const std::uint64_t group_bytes = isa::mx::weight_bytes(op.kernel, op.input.blocks, 1);
  const std::uint64_t bias_offset = group_bytes - kBlockElements * sizeof(float);
  for (std::uint32_t block = 0; block < op.output_blocks(); ++block) {
    const bool second = block >= op.output1.blocks;
    const isa::mx::Map &map = op.output1;  // output2 has the same height and width
    std::byte *output = second ? operands.output2 : operands.output1;
    const std::uint64_t output_block = second ? block - op.output1.blocks : block;
    const std::byte *weights = operands.weights + block * group_bytes;
    const Group group{weights, weights + bias_offset};
    for (std::uint32_t row = 0; row < map.height; ++row) {
      for (std::uint32_t column = 0; column < map.width; ++column) {
        Values values;
        for (std::uint32_t channel = 0; channel < kBlockElements; ++channel) {
          values[channel] = convolve_one(op, operands.input1, group, channel, row, column);
        }
        store_values(values, output, (output_block * map.height + row) * map.width + column);
      }
    }
  }
}

}  // namespace cox::model::mx::reference
