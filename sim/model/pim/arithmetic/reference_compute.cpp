// SPDX-License-Identifier: MIT
#include <vector>

#include "sim/model/pim/arithmetic/elements.h"
#include "sim/model/pim/arithmetic/local_bytes.h"
#include "sim/model/pim/arithmetic/reference.h"

namespace cox::model::pim::reference {
namespace {

using isa::pim::Compute;
using isa::pim::ComputeStep;

/// The numbers of the inputs that meet compartments 0, 1, ... of macro `member` of each group.
std::vector<std::uint32_t> selected_inputs(const Compute &op, const CoreMemories &memories, std::uint32_t mask, std::uint32_t member) {
  std::vector<std::uint32_t> selected;
  const std::byte *bits = op.value_sparse ? bytes_at(memories, mask, op.mask_bytes()) : nullptr;
  for (std::uint32_t i = 0; i < op.inputs; ++i) {
    if (bits == nullptr || read_bit(bits, std::uint64_t{member} * op.inputs + i)) selected.push_back(i);
  }
  return selected;
}

/// The number that the meta data makes of a cell: (-1)^sign * (1 + cell) * 4^p.
std::int32_t signed_digit(bool cell, const std::byte *meta, std::uint64_t place) {
  const bool sign = read_bit(meta, 3 * place);
  const int p = 2 * (read_bit(meta, 3 * place + 1) ? 1 : 0) + (read_bit(meta, 3 * place + 2) ? 1 : 0);
  const std::int32_t magnitude = (cell ? 2 : 1) << (2 * p);
  return sign ? -magnitude : magnitude;
}

/// Adds the products of one macro in one step to the output registers.
void compute_macro(const Compute &op, const ComputeStep &step, CoreMemories &memories, std::uint32_t group, std::uint32_t member) {
  const isa::pim::Array &array = memories.configuration.array;
  const std::uint32_t macro = group * op.group_macros + member;
  const std::uint32_t address = isa::pim::group_input(op, memories.configuration, LocalBytes(memories), step, group);
  const std::byte *inputs = bytes_at(memories, address, op.input_bytes());
  const std::vector<std::uint32_t> selected = selected_inputs(op, memories, step.mask, member);
  const std::byte *meta = op.bit_sparse ? bytes_at(memories, step.meta, op.meta_bytes(array)) : nullptr;
  for (std::uint32_t column = 0; column < op.columns; ++column) {
    const std::uint32_t j = member * op.columns + column;
    if (j >= op.group_columns) break;
    std::uint32_t sum = 0;
    for (std::uint32_t k = 0; k < selected.size(); ++k) {
      const std::int32_t input = read_element(inputs, selected[k], op.input_width);
      const std::byte *line = memories.array.data() + isa::pim::line_offset(array, macro, step.row, k);
      std::int32_t weight = read_element(line, column, op.weight_width);
      if (op.bit_sparse) {
        weight = signed_digit(weight != 0, meta, (std::uint64_t{k} * op.working_macros + member) * op.columns + column);
      }
      sum += static_cast<std::uint32_t>(input) * static_cast<std::uint32_t>(weight);  // modulo 2^32
    }
    memories.output_registers[std::size_t{group} * op.columns * op.group_macros + j] += sum;
  }
}

}  // namespace

void compute(const Compute &op, CoreMemories &memories) {
  if (op.touches_nothing()) return;
  for (std::uint32_t number = 0; number < op.count; ++number) {
    const ComputeStep step = isa::pim::step(op, memories.configuration, LocalBytes(memories), number);
    for (std::uint32_t group = 0; group < op.groups; ++group) {
      for (std::uint32_t member = 0; member < op.working_macros; ++member) compute_macro(op, step, memories, group, member);
    }
  }
  memories.registers_used = static_cast<std::uint32_t>(memories.output_registers.size());
}

}  // namespace cox::model::pim::reference
