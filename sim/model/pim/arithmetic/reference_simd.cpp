// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "sim/model/pim/arithmetic/elements.h"
#include "sim/model/pim/arithmetic/fixed_point.h"
#include "sim/model/pim/arithmetic/reference.h"
#include "sim/model/pim/arithmetic/simd_block.h"

namespace cox::model::pim::reference {
namespace {

using isa::pim::Simd;
using isa::pim::SimdKind;
using isa::pim::SimdOpcode;

/// The inputs of an operation. An input that does not exist is 0.
class Inputs {
 public:
  Inputs(const Simd &op, const CoreMemories &memories) : op_(op) {
    for (unsigned i = 0; i < op.inputs; ++i) {
      bytes_[i] = bytes_at(memories, op.input[i], bytes_of(op, i));
    }
  }

  /// Element `index` of input `input`; of a scalar the scalar.
  [[nodiscard]] std::int32_t at(unsigned input, std::uint32_t index) const {
    if (input >= op_.inputs) return 0;
    return read_element(bytes_[input], op_.kinds[input] == SimdKind::scalar ? 0 : index, op_.input_width[input]);
  }
  /// Number `place` of the block that is input `input`.
  [[nodiscard]] std::int32_t in_block(unsigned input, unsigned place) const { return read_element(bytes_[input], place, 32); }

 private:
  static std::uint64_t bytes_of(const Simd &op, unsigned input) {
    switch (op.kinds[input]) {
      case SimdKind::vector: return vector_bytes(op.length, op.input_width[input]);
      case SimdKind::scalar: return vector_bytes(1, op.input_width[input]);
      case SimdKind::block: break;
    }
    return vector_bytes(op.opcode == SimdOpcode::quantify_resadd ? std::uint64_t{ResaddBlock::count} : std::uint64_t{MultiplyBlock::count},
                        32);
  }

  const Simd &op_;
  std::array<const std::byte *, isa::pim::kMostSimdInputs> bytes_{};
};

/// The quotient of a sum and a count, halves away from 0. resolve() refuses a count below 1.
std::int64_t average(std::int64_t sum, std::int64_t count) {
  if (count < 1) return 0;
  const std::int64_t half = count / 2;
  return (sum < 0 ? sum - half : sum + half) / count;
}

std::int64_t quantify_resadd(const Simd &op, const Inputs &in, std::uint32_t i) {
  using Block = ResaddBlock;
  const std::int64_t scale = std::int64_t{1} << resadd_headroom(op.input_width[0], op.input_width[1]);
  const std::int32_t scaled1 = saturated((std::int64_t{in.at(0, i)} - in.in_block(2, Block::zero1)) * scale);
  const std::int32_t scaled2 = saturated((std::int64_t{in.at(1, i)} - in.in_block(2, Block::zero2)) * scale);
  const std::int32_t t1 = multiplied(scaled1, in.in_block(2, Block::multiplier1), in.in_block(2, Block::shift1));
  const std::int32_t t2 = multiplied(scaled2, in.in_block(2, Block::multiplier2), in.in_block(2, Block::shift2));
  const std::int32_t sum = saturated(std::int64_t{t1} + t2);
  return std::int64_t{multiplied(sum, in.in_block(2, Block::multiplier), in.in_block(2, Block::shift))} + in.in_block(2, Block::zero);
}

std::int64_t quantify_multiply(const Inputs &in, std::uint32_t i) {
  using Block = MultiplyBlock;
  const std::int64_t a = std::int64_t{in.at(0, i)} - in.in_block(2, Block::zero1);
  const std::int64_t b = std::int64_t{in.at(1, i)} - in.in_block(2, Block::zero2);
  const std::int32_t product = saturated(saturated_product(a, b));
  return std::int64_t{multiplied(product, in.in_block(2, Block::multiplier), in.in_block(2, Block::shift))} + in.in_block(2, Block::zero);
}

/// Element `i` of the result before it is saturated to the output's width.
std::int64_t result(const Simd &op, const Inputs &in, std::uint32_t i) {
  const std::int64_t a = in.at(0, i);
  switch (op.opcode) {
    case SimdOpcode::add:
    case SimdOpcode::add_scalar: return a + in.at(1, i);
    case SimdOpcode::multiply: return a * in.at(1, i);
    case SimdOpcode::quantify: return std::int64_t{multiplied(in.at(0, i), in.at(1, i), in.at(2, i))} + in.at(3, i);
    case SimdOpcode::quantify_resadd: return quantify_resadd(op, in, i);
    case SimdOpcode::quantify_multiply: return quantify_multiply(in, i);
    case SimdOpcode::maximum: return std::max<std::int64_t>(a, in.at(1, i));
    case SimdOpcode::relu: return std::max<std::int64_t>(a, 0);
    case SimdOpcode::average: return average(a, in.at(1, i));
  }
  return 0;
}

}  // namespace

void simd(const Simd &op, CoreMemories &memories) {
  if (op.length == 0) return;
  const Inputs in(op, memories);
  std::vector<std::byte> output(vector_bytes(op.length, op.output_width));
  for (std::uint32_t i = 0; i < op.length; ++i) {
    const std::int64_t value = std::clamp<std::int64_t>(result(op, in, i), smallest(op.output_width), largest(op.output_width));
    write_element(output.data(), i, op.output_width, static_cast<std::uint32_t>(value));
  }
  std::copy(output.begin(), output.end(), bytes_at(memories, op.output, output.size()));
}

}  // namespace cox::model::pim::reference
