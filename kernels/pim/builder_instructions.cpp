// SPDX-License-Identifier: MIT
// The members of ProgramBuilder that emit an instruction. Operands are loaded one after another, because a load may emit instructions.
#include "coxswain/isa/pim/build.h"
#include "coxswain/kernels/pim/program_builder.h"

namespace cox::kernels::pim {

using isa::pim::SimdOpcode;
using isa::pim::build::r;
using isa::pim::build::Reg;
namespace build = isa::pim::build;

void ProgramBuilder::compute(const ComputeCall &call) {
  const bool is_batch = call.rows > 1;
  const Reg rows = is_batch ? r(load(call.rows)) : Reg{};
  const Reg input_step = is_batch ? r(load(call.input_step)) : Reg{};
  const Reg meta_step = is_batch ? r(load(call.meta_step)) : Reg{};
  const Reg mask_step = is_batch ? r(load(call.mask_step)) : Reg{};
  const Reg input = r(load(call.input));
  const Reg inputs = r(load(call.inputs));
  const Reg row = r(load(call.row));
  if (is_batch)
    emit(build::pim_batch(rows, input_step, meta_step, mask_step,
                          {.input = call.input_table, .meta = call.meta_table, .mask = call.mask_table}));
  emit(build::pim_compute(
      input, inputs, row,
      {.value_sparse = call.value_sparse, .bit_sparse = call.bit_sparse, .group = call.group, .group_input_mode = call.group_input_table}));
}

void ProgramBuilder::output(Value destination) { emit(build::pim_output(r(load(destination)))); }

void ProgramBuilder::output_sums(Value destination, Value results, Value mask) {
  const Reg count = r(load(results));
  const Reg bits = r(load(mask));
  emit(build::pim_output(r(load(destination)), count, bits, {.outsum = true}));
}

void ProgramBuilder::output_pairs(Value destination, Value sums) {
  const Reg count = r(load(sums));
  emit(build::pim_output(r(load(destination)), count, {}, {.outsum_move = true}));
}

void ProgramBuilder::transfer(Value source, Value results, Value mask, Value destination) {
  const Reg from = r(load(source));
  const Reg count = r(load(results));
  const Reg bits = r(load(mask));
  emit(build::pim_transfer(r(load(destination)), from, count, bits));
}

void ProgramBuilder::simd(SimdOpcode opcode, std::span<const Value> inputs, Value length, Value output) {
  const auto count = static_cast<unsigned>(inputs.size());
  const Reg first = r(count < 3 ? load(inputs[0]) : load_pair(inputs[0], inputs[1]));
  Reg second;
  if (count == 2) second = r(load(inputs[1]));
  if (count == 3) second = r(load(inputs[2]));
  if (count == 4) second = r(load_pair(inputs[2], inputs[3]));
  const Reg elements = r(load(length));
  emit(build::simd_compute(opcode, count, r(load(output)), first, second, elements));
}

void ProgramBuilder::copy(Value source, Value bytes, Value destination) {
  const Reg from = r(load(source));
  const Reg size = r(load(bytes));
  emit(build::trans(r(load(destination)), from, size));
}

void ProgramBuilder::store_word(Value address, std::uint32_t word) {
  std::uint32_t offset = 0;
  if (!address.is_variable) {
    // Words that are stored one after another share a base.
    constexpr std::uint32_t kBlock = 0x4000;
    offset = address.offset % kBlock;
    address.offset -= offset;
  }
  const Reg base = r(load(address));
  emit(build::store_local(r(load(word)), base, static_cast<std::int32_t>(offset)));
}

void ProgramBuilder::send(bool waits, Value source, Value core, Value destination, Value id, Value bytes) {
  const Reg other = r(load(core));
  build::MessageRegisters message;
  message.source = r(load(source));
  message.destination = r(load(destination));
  message.id = r(load(id));
  message.bytes = r(load(bytes));
  emit(build::send(other, message, !waits));
}

void ProgramBuilder::receive(bool waits, Value core, Value source, Value destination, Value id, Value bytes) {
  const Reg other = r(load(core));
  build::MessageRegisters message;
  message.source = r(load(source));
  message.destination = r(load(destination));
  message.id = r(load(id));
  message.bytes = r(load(bytes));
  emit(build::receive(other, message, !waits));
}

void ProgramBuilder::wait(Value core, Value id) {
  const Reg other = r(load(core));
  emit(build::wait(other, r(load(id))));
}

void ProgramBuilder::barrier(std::uint32_t id, std::uint32_t cores) {
  const Reg name = r(load(id));
  emit(build::barrier(name, r(load(cores))));
}

}  // namespace cox::kernels::pim
