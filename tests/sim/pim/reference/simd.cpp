// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "tests/sim/pim/reference/fixed_point.h"
#include "tests/sim/pim/reference/instructions.h"
#include "tests/sim/pim/reference/memory.h"

namespace cox::model::pim::oracle {
namespace {

using Vector = std::vector<std::int64_t>;

/// The result of one element before it is saturated. Inputs that the instruction does not have are 0; `block` is the operation's block.
std::int64_t element(unsigned operation, const std::array<std::int64_t, 4> &in, const Vector &block, unsigned shift_of_resadd) {
  switch (operation) {
    case 0x00:
    case 0x01: return in[0] + in[1];
    case 0x02: return in[0] * in[1];
    case 0x03: return multiply_by_quantized_multiplier(in[0], in[1], in[2]) + in[3];
    case 0x04: {
      const std::int64_t scale = std::int64_t{1} << shift_of_resadd;
      const std::int64_t t1 = multiply_by_quantized_multiplier(saturated((in[0] - block[0]) * scale, 32), block[1], block[2]);
      const std::int64_t t2 = multiply_by_quantized_multiplier(saturated((in[1] - block[3]) * scale, 32), block[4], block[5]);
      return multiply_by_quantized_multiplier(saturated(t1 + t2, 32), block[6], block[7]) + block[8];
    }
    case 0x05: {
      const Wide product = Wide{in[0] - block[0]} * Wide{in[1] - block[1]};
      return multiply_by_quantized_multiplier(saturated(product, 32), block[2], block[3]) + block[4];
    }
    case 0x80: return std::max(in[0], in[1]);
    case 0x81: return std::max<std::int64_t>(in[0], 0);
    default: {  // average
      require(in[1] >= 1);
      const std::int64_t half = in[1] / 2;
      return (in[0] < 0 ? in[0] - half : in[0] + half) / in[1];
    }
  }
}

}  // namespace

void simd_compute(const View &view, const Decoded &instruction) {
  const auto &general = view.core.general;
  const isa::pim::SimdForm *const form = view.configuration.find_simd(instruction.simd, instruction.inputs);
  require(form != nullptr, ErrorCode::unsupported);
  const std::uint64_t length = count(general[instruction.rs3]);
  // Registers of the inputs' addresses: rs1 | rs1, rs2 | rs1, rs1+1, rs2 | rs1, rs1+1, rs2, rs2+1.
  std::vector<unsigned> registers{instruction.rs1};
  if (instruction.inputs >= 3) registers.push_back(instruction.rs1 + 1);
  if (instruction.inputs >= 2) registers.push_back(instruction.rs2);
  if (instruction.inputs >= 4) registers.push_back(instruction.rs2 + 1);

  const unsigned block_length = instruction.simd == 0x04 ? 9 : 5;
  std::vector<unsigned> widths;
  for (unsigned i = 0; i < instruction.inputs; ++i) {
    widths.push_back(form->kinds[i] == isa::pim::SimdKind::block ? 32 : width(view.special(16 + i)));
  }
  const unsigned result_width = width(view.special(20));
  unsigned shift = 20;
  if (instruction.simd == 0x04) {
    require(widths[0] != 32 && widths[1] != 32);
    if (widths[0] == 16 || widths[1] == 16) shift = 15;
  }
  if (length == 0) return;

  const Place output = local(view, general[instruction.rd], bytes_of(length, result_width));
  std::array<Vector, 4> inputs;
  Vector block;
  for (unsigned i = 0; i < instruction.inputs; ++i) {
    const std::uint32_t address = general[registers[i]];
    const auto vector = [&](std::uint64_t elements) {
      return numbers(read(local(view, address, bytes_of(elements, widths[i]))), elements, widths[i]);
    };
    switch (form->kinds[i]) {
      case isa::pim::SimdKind::vector: inputs[i] = vector(length); break;
      case isa::pim::SimdKind::scalar: inputs[i] = Vector(length, vector(1)[0]); break;
      case isa::pim::SimdKind::block: block = vector(block_length); break;
    }
  }
  Vector results;
  for (std::uint64_t e = 0; e < length; ++e) {
    std::array<std::int64_t, 4> in{};
    for (unsigned i = 0; i < 4; ++i) in[i] = inputs[i].empty() ? 0 : inputs[i][e];
    results.push_back(saturated(element(instruction.simd, in, block, shift), result_width));
  }
  write(output, packed(results, result_width));
}

}  // namespace cox::model::pim::oracle
