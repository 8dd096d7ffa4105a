// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>

#include "sim/model/cube/arithmetic/element.h"
#include "sim/model/cube/arithmetic/reference.h"

namespace cox::model::cube::reference {
namespace {

using isa::cube::Mad;
using isa::cube::Start;

std::uint32_t start_of(const Mad &op, const Buffers &buffers, const std::byte *accumulator, std::uint32_t column) {
  switch (op.start) {
    case Start::accumulator: return read<std::uint32_t>(accumulator);
    case Start::bias_table: {
      const std::uint64_t address = std::uint64_t{op.bias_address} + std::uint64_t{column} * isa::cube::kAccumulatorBytes;
      return read<std::uint32_t>(buffers.bias_table.data() + address % isa::cube::kBiasTableBytes);
    }
    default: return 0;
  }
}

}  // namespace

void multiply(const Mad &op, Buffers &buffers) {
  if (op.empty()) return;
  const std::uint32_t bits = isa::cube::element_bits(op.type);
  const std::byte *a = buffers.l0a.data() + op.left;
  const std::byte *b = buffers.l0b.data() + op.right;
  for (std::uint32_t i = 0; i < op.m; ++i) {
    for (std::uint32_t j = 0; j < op.n; ++j) {
      std::byte *c = buffers.l0c.data() + op.destination + isa::cube::l0c_byte(i, j, op.m_count());
      const std::uint32_t start = start_of(op, buffers, c, j);
      const auto left = [&](std::uint32_t k) { return element(a, isa::cube::l0a_bit(i, k, op.type, op.k_count()), bits); };
      const auto right = [&](std::uint32_t k) { return element(b, isa::cube::l0b_bit(k, j, op.type, op.n_count()), bits); };
      if (isa::cube::is_integer(op.type)) {
        std::uint32_t sum = start;  // modulo 2^32
        for (std::uint32_t k = 0; k < op.k; ++k) {
          sum += static_cast<std::uint32_t>(integer_of(left(k), op.type) * integer_of(right(k), op.type));
        }
        write(c, sum);
      } else {
        auto sum = std::bit_cast<float>(start);
        for (std::uint32_t k = 0; k < op.k; ++k) sum = std::fma(real_of(left(k), op.type), real_of(right(k), op.type), sum);
        write(c, float_bits(sum));
      }
    }
  }
}

}  // namespace cox::model::cube::reference
