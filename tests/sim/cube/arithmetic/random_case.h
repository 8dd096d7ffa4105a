// SPDX-License-Identifier: MIT
// Random operations of the matrix unit, with operands that reveal errors.
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

/// The kind of random elements.
enum class Style : std::uint8_t {
  usual,    ///< normal floating-point numbers; any integers
  small,    ///< near the subnormals, so that some products are subnormal
  special,  ///< as usual, but with some NaNs, infinities, zeros of either sign and subnormals; extreme integers
};
Style random_style(Random &random);
/// A random element of `type`, as bits.
std::uint32_t random_element(Random &random, isa::cube::Type type, Style style);

/// A random size: 1, 15, 16, 17 or any up to `most`.
std::uint32_t random_size(Random &random, std::uint32_t most);

/// Fills `bytes` with random bytes.
void fill(Random &random, std::span<std::byte> bytes);

/// A MAD whose operands fit into the buffers, with at most about `work` products. In some cases m, n or k is 0.
isa::cube::Mad random_mad(Random &random, isa::cube::Type type, double work);
/// Fills the operands, the start values of c and the bias table. The rest of L0A and L0B gets NaN or garbage.
void fill(Random &random, const isa::cube::Mad &mad, model::cube::Buffers &buffers);

/// A random load with the DRAM bytes that it reads.
struct Load {
  isa::cube::DramToL1 operation;
  std::vector<std::byte> dram;
  std::size_t offset = 0;  ///< position in `dram` of the first byte that the load reads; any alignment
};
Load random_load(Random &random);
isa::cube::L1ToL0 random_move(Random &random);
isa::cube::Im2colToL0A random_im2col(Random &random);

/// A random store to L1 or DRAM. It overwrites no byte of L1 that it reads. `dram_bytes` is 0 if it writes to L1.
struct Store {
  isa::cube::Output operation;
  std::size_t dram_bytes = 0;
};
Store random_output(Random &random);
/// Fills the accumulators, factors, biases and the residual.
void fill(Random &random, const isa::cube::Output &output, model::cube::Buffers &buffers);

}  // namespace cox::test
