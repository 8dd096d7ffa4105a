// SPDX-License-Identifier: MIT
#include <cstring>

#include "sim/model/cube/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/scratch.h"

namespace cox::model::cube::fast {
namespace {

using arithmetic::ScratchUse;

/// Returns the initial values of one row of c, which has 16 words for each fractal. All rows have the same initial values. Returns nullptr
/// if the products are added to the values that c already has.
const std::byte *start_row(const isa::cube::Mad &op, const Buffers &buffers) {
  if (op.start == isa::cube::Start::accumulator) return nullptr;
  const std::size_t bytes = std::size_t{op.n_count()} * isa::cube::kFractalRows * isa::cube::kAccumulatorBytes;
  std::byte *row = arithmetic::scratch(ScratchUse::parameters, static_cast<std::int64_t>(bytes));
  if (op.start == isa::cube::Start::zero) {
    std::memset(row, 0, bytes);
    return row;
  }
  for (std::size_t at = 0; at < bytes; at += isa::cube::kBiasAlignment) {
    const std::size_t address = (op.bias_address + at) % isa::cube::kBiasTableBytes;
    std::memcpy(row + at, buffers.bias_table.data() + address, isa::cube::kBiasAlignment);
  }
  return row;
}

}  // namespace

void multiply(const isa::cube::Mad &op, Buffers &buffers, const Kernels &kernels) {
  if (op.empty()) return;
  const std::int64_t left_fractals = std::int64_t{op.m_count()} * op.k_count();
  const std::int64_t right_fractals = std::int64_t{kMostGroups} * op.k_count();
  Multiplication multiplication;
  multiplication.type = op.type;
  multiplication.m = op.m;
  multiplication.k = op.k;
  multiplication.n = op.n;
  multiplication.m_count = op.m_count();
  multiplication.k_count = op.k_count();
  multiplication.n_count = op.n_count();
  multiplication.left = buffers.l0a.data() + op.left;
  multiplication.right = buffers.l0b.data() + op.right;
  multiplication.accumulators = buffers.l0c.data() + op.destination;
  multiplication.start = start_row(op, buffers);
  multiplication.left_steps = arithmetic::scratch(ScratchUse::packed, left_fractals * std::int64_t{kStepBytes});
  multiplication.right_steps = arithmetic::scratch(ScratchUse::records, right_fractals * std::int64_t{kStepBytes});
  kernels.multiply(multiplication);
}

}  // namespace cox::model::cube::fast
