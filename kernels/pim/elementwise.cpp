// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/elementwise.h"

#include <array>

#include "coxswain/kernels/pim/elementwise_code.h"

namespace cox::kernels::pim {

using isa::pim::SimdOpcode;
using isa::pim::Special;

namespace {

constexpr std::uint32_t kMostCount = 1U << 31;

Status check_factor(const Factor &factor, const char *name) {
  if (factor.shift >= -kMostShift && factor.shift <= kMostShift) return {};
  return invalid_argument(name, factor.shift, kMostShift);
}

struct BinaryKernel {
  SimdOpcode opcode;
  std::uint32_t left, right, output, count, first_core, cores;
  std::span<const std::uint32_t> block;
};

Status check(const ProgramBuilder &builder, const Memories &memories, const BinaryKernel &kernel) {
  if (kernel.count == 0 || kernel.count > kMostCount) return invalid_argument("count", kernel.count, kMostCount);
  if (const Status status = check_cores(builder, kernel.first_core, kernel.cores); !status) return status;
  const Operand operands[] = {{"left", kernel.left, kernel.count}, {"right", kernel.right, kernel.count}};
  for (const Operand &operand : operands) {
    if (const Status status = check_operand(builder, memories, operand, false); !status) return status;
    const MemoryRange input{operand.address, operand.bytes}, output{kernel.output, kernel.count};
    if (operand.address != kernel.output && input.overlaps(output))
      return Status(ErrorCode::tensor_overlap, "output", -1, kernel.output, operand.address);
    // Results on their way to DRAM would overwrite operands in these memories.
    const bool is_staging = lies_in(operand.address, memories.staging[0]) || lies_in(operand.address, memories.staging[1]);
    if (is_staging && builder.is_dram(kernel.output)) return invalid_argument(operand.name, operand.address, 0);
  }
  return check_operand(builder, memories, {"output", kernel.output, kernel.count}, true);
}

Status run(ProgramBuilder &builder, const BinaryKernel &kernel) {
  if (const Status status = builder.begin_kernel(); !status) return status;
  const Result<Memories> memories = find_memories(builder.configuration());
  Status status = memories.status();
  if (status.ok()) status = check(builder, memories.value(), kernel);
  if (!status.ok()) builder.fail(status);
  for (std::uint32_t core = 0; core < kernel.cores && !builder.has_failed(); ++core) {
    builder.begin_core(kernel.first_core + core);
    const std::uint32_t first = first_of_part(kernel.count, core, kernel.cores);
    const std::uint32_t count = first_of_part(kernel.count, core + 1, kernel.cores) - first;
    const std::uint32_t block = memories.value().sums.first;
    for (std::uint32_t i = 0; i < kernel.block.size(); ++i) builder.store_word(block + i * 4, kernel.block[i]);
    builder.set(Special::simd_input1_bit_width, 8);
    builder.set(Special::simd_input2_bit_width, 8);
    builder.set(Special::simd_input3_bit_width, 32);
    builder.set(Special::simd_output_bit_width, 8);
    const ChunkLoop::Vector inputs[] = {{kernel.left + first}, {kernel.right + first}};
    const std::uint32_t most = std::min(memories.value().results[0].bytes, memories.value().results[1].bytes);
    ChunkLoop(builder, memories.value())
        .run(inputs, {kernel.output + first}, count, most, [&](std::span<const Value> values, std::uint32_t length, Value output) {
          const Value operands[] = {values[0], values[1], block};
          builder.simd(kernel.opcode, operands, length, output);
        });
    builder.end_barrier(kernel.first_core, kernel.cores);
  }
  return builder.end_kernel();
}

constexpr std::uint32_t bits(std::int32_t number) { return static_cast<std::uint32_t>(number); }

}  // namespace

Status eladd(ProgramBuilder &builder, const EladdArguments &a) {
  if (const Status status = check_factor(a.left_factor, "left_factor"); !status) return status;
  if (const Status status = check_factor(a.right_factor, "right_factor"); !status) return status;
  if (const Status status = check_factor(a.output_factor, "output_factor"); !status) return status;
  const std::array block{bits(a.left_zero_point),          bits(a.left_factor.multiplier),  bits(a.left_factor.shift),
                         bits(a.right_zero_point),         bits(a.right_factor.multiplier), bits(a.right_factor.shift),
                         bits(a.output_factor.multiplier), bits(a.output_factor.shift),     bits(a.zero_point)};
  return run(builder, {SimdOpcode::quantify_resadd, a.left, a.right, a.output, a.count, a.first_core, a.cores, block});
}

Status elmul(ProgramBuilder &builder, const ElmulArguments &a) {
  if (const Status status = check_factor(a.factor, "factor"); !status) return status;
  const std::array block{bits(a.left_zero_point), bits(a.right_zero_point), bits(a.factor.multiplier), bits(a.factor.shift),
                         bits(a.zero_point)};
  return run(builder, {SimdOpcode::quantify_multiply, a.left, a.right, a.output, a.count, a.first_core, a.cores, block});
}

Status quantise(ProgramBuilder &builder, const QuantiseArguments &a) {
  if (const Status status = builder.begin_kernel(); !status) return status;
  const Result<Memories> found = find_memories(builder.configuration());
  const Memories &memories = found.value();
  Status status = found.status();
  const std::uint64_t count = std::uint64_t{a.pixels} * a.channels;
  constexpr std::uint32_t kInputBytes = 4, kFactorBytes = 5;
  if (status.ok() && (a.pixels == 0 || count > kMostCount / kInputBytes)) status = invalid_argument("pixels", a.pixels, kMostCount);
  if (status.ok() && a.channels == 0) status = invalid_argument("channels", a.channels, kMostCount);
  // A chunk's sums are in one memory, its factors in another, and what ReLU makes of the sums in a third.
  const std::uint32_t most = std::min(memories.results[0].bytes / kInputBytes, memories.inputs.bytes / kFactorBytes);
  if (status.ok() && a.channels > most) status = Status(ErrorCode::no_room, "channels", -1, a.channels, most);
  if (status.ok()) status = check_cores(builder, a.first_core, a.cores);
  if (status.ok()) status = check_operand(builder, memories, {"input", a.input, count * kInputBytes}, false);
  if (status.ok()) status = check_operand(builder, memories, {"output", a.output, count}, true);
  if (status.ok()) status = builder.check_bytes(a.multipliers, std::uint64_t{a.channels} * kFactorBytes, false, "multipliers");
  const MemoryRange input{a.input, count * kInputBytes}, output{a.output, count};
  if (status.ok() && input.overlaps(output)) status = Status(ErrorCode::tensor_overlap, "output", -1, a.output, a.input);
  if (status.ok() && builder.is_dram(a.output) && (lies_in(a.input, memories.staging[0]) || lies_in(a.input, memories.staging[1])))
    status = invalid_argument("input", a.input, 0);
  if (!status.ok()) builder.fail(status);
  for (std::uint32_t core = 0; core < a.cores && !builder.has_failed(); ++core) {
    builder.begin_core(a.first_core + core);
    const std::uint32_t first = first_of_part(a.pixels, core, a.cores), pixels = first_of_part(a.pixels, core + 1, a.cores) - first;
    const std::uint32_t chunk = std::max<std::uint32_t>(1, std::min(most / a.channels, pixels)), factors = chunk * a.channels;
    const std::uint32_t multipliers = memories.inputs.first, shifts = multipliers + factors * kInputBytes;
    const std::uint32_t zero_point = memories.sums.first;
    builder.copy(a.multipliers, a.channels * kFactorBytes, memories.sums_too.first);
    const Register to = builder.variable(multipliers), to_shifts = builder.variable(shifts);
    builder.repeat(chunk, [&] {
      builder.copy(memories.sums_too.first, a.channels * kInputBytes, to);
      builder.copy(memories.sums_too.first + a.channels * kInputBytes, a.channels, to_shifts);
      builder.add(to, a.channels * kInputBytes);
      builder.add(to_shifts, a.channels);
    });
    builder.release(to);
    builder.release(to_shifts);
    builder.store_word(zero_point, bits(a.zero_point));
    builder.set(Special::simd_input1_bit_width, 32);
    builder.set(Special::simd_input2_bit_width, 32);
    builder.set(Special::simd_input3_bit_width, 8);
    builder.set(Special::simd_input4_bit_width, 32);
    const ChunkLoop::Vector inputs[] = {{a.input + first * a.channels * kInputBytes, kInputBytes}};
    ChunkLoop(builder, memories)
        .run(inputs, {a.output + first * a.channels}, pixels * a.channels, factors,
             [&](std::span<const Value> values, std::uint32_t length, Value place) {
               Value sums = values[0];
               if (a.relu) {
                 builder.set(Special::simd_output_bit_width, 32);
                 builder.simd(SimdOpcode::relu, values, length, memories.results[1].first);
                 sums = memories.results[1].first;
               }
               const Value operands[] = {sums, multipliers, shifts, zero_point};
               builder.set(Special::simd_output_bit_width, 8);
               builder.simd(SimdOpcode::quantify, operands, length, place);
             });
    builder.end_barrier(a.first_core, a.cores);
  }
  return builder.end_kernel();
}

}  // namespace cox::kernels::pim
