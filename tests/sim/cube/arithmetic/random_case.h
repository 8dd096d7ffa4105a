// SPDX-License-Identifier: MIT
// Random operations of the matrix unit, with operands that say something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "sim/model/cube/arithmetic/execute.h"

namespace cox::test {

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  std::uint32_t in(std::uint32_t low, std::uint32_t high) { return std::uniform_int_distribution<std::uint32_t>(low, high)(engine_); }
  bool one_of(std::uint32_t n) { return in(1, n) == 1; }
  float normal() { return normal_(engine_); }
  std::uint32_t word() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
  std::normal_distribution<float> normal_;
};

/// What elements are like.
enum class Style : std::uint8_t {
  usual,    ///< normal numbers; any integers
  small,    ///< near the subnormals, whose products are some
  special,  ///< usual, now and then a NaN, an infinity, a zero of either sign, a subnormal; extremes of integers
};
Style random_style(Random &random);
/// The bits of an element of `type`.
std::uint32_t random_element(Random &random, isa::cube::Type type, Style style);

/// Sizes that are awkward: 1, 15, 16, 17 and any up to `most`.
std::uint32_t random_size(Random &random, std::uint32_t most);

/// Bytes of all values.
void fill(Random &random, std::span<std::byte> bytes);

/// A MAD whose operands fit, with about `work` products at most; may be empty.
isa::cube::Mad random_mad(Random &random, isa::cube::Type type, double work);
/// Its operands, around them NaN or garbage, and what c and the bias table start from.
void fill(Random &random, const isa::cube::Mad &mad, model::cube::Buffers &buffers);

/// With what it reads of DRAM.
struct Load {
  isa::cube::DramToL1 operation;
  std::vector<std::byte> dram;
  std::size_t offset = 0;  ///< of its first byte: at no alignment
};
Load random_load(Random &random);
isa::cube::L1ToL0 random_move(Random &random);
isa::cube::Im2colToL0A random_im2col(Random &random);

/// What it reads and writes of L1 does not overlap; `dram_bytes` of DRAM are written.
struct Store {
  isa::cube::Output operation;
  std::size_t dram_bytes = 0;
};
Store random_output(Random &random);
/// Its accumulators, factors, biases and residual.
void fill(Random &random, const isa::cube::Output &output, model::cube::Buffers &buffers);

}  // namespace cox::test
