// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "coxswain/isa/pim/resolve.h"

namespace cox::isa::pim::detail {
namespace {

constexpr Opcode kSimdCompute = Opcode::simd_compute;
constexpr std::int32_t kMostShift = 31;
constexpr std::uint8_t kMostResaddWidth = 16;

/// An element of a vector, with the sign that its width gives it.
std::int32_t element_of(std::span<const std::byte> bytes, unsigned width, std::uint32_t number) {
  std::uint32_t bits = 0;
  const std::size_t first = std::size_t{number} * width;  // elements of a chunk: no overflow
  for (unsigned i = 0; i < (width + 7) / 8; ++i) bits |= std::to_integer<std::uint32_t>(bytes[first / 8 + i]) << (8 * i);
  bits = bits >> (first % 8) << (kMostWidth - width);
  return static_cast<std::int32_t>(bits) >> (kMostWidth - width);
}

/// A range that numbers of an input must have, because the operation shifts or divides by them.
struct ValueRange {
  unsigned input = 0;
  std::int64_t least = 0, most = 0;
};

/// Checks elements `first` and up of an input, every `stride` elements. The input lies in a local memory.
Status check_values(const Simd &op, const Surroundings &around, const ValueRange &range, std::uint32_t first, std::uint32_t stride) {
  std::array<std::byte, 64> chunk;
  const unsigned width = op.input_width[range.input];
  const Place start = place(around.configuration, Reach::local, op.input[range.input], op.input_bytes(range.input));
  const std::uint32_t elements = op.input_elements(range.input), in_chunk = 8 * static_cast<std::uint32_t>(chunk.size()) / width;
  for (std::uint32_t base = 0; base < elements; base += std::min(in_chunk, elements - base)) {
    const std::uint32_t count = std::min(in_chunk, elements - base);
    const std::span<std::byte> bytes = std::span(chunk).first(static_cast<std::size_t>(vector_bytes(count, width)));
    around.memory.read({start.space, start.offset + std::uint64_t{base} * width / 8}, bytes);
    for (; first < base + count; first += stride) {
      const std::int32_t value = element_of(bytes, width, first - base);
      if (value >= range.least && value <= range.most) continue;
      const std::int64_t limit = value < range.least ? range.least : range.most;
      return Status(ErrorCode::field_out_of_range, simd_input_field(op, range.input), static_cast<std::int32_t>(first), value, limit);
    }
  }
  return {};
}

/// Checks the shifts of the quantify operations and the divisors of average.
Status check_operands(const Simd &op, const Surroundings &around) {
  if (op.length == 0) return {};
  constexpr ValueRange kShifts{2, -kMostShift, kMostShift}, kDivisors{1, 1, INT32_MAX};
  switch (op.opcode) {
    case SimdOpcode::average: return check_values(op, around, kDivisors, 0, 1);
    case SimdOpcode::quantify: return op.inputs < 3 ? Status{} : check_values(op, around, kShifts, 0, 1);
    // z1, m1, s1, z2, m2, s2, mo, so, zo: the shifts are numbers 2, 5 and 7.
    case SimdOpcode::quantify_resadd: {
      constexpr std::uint32_t kShiftNumbers[] = {2, 5, 7};
      for (const std::uint32_t number : kShiftNumbers) {
        if (Status status = check_values(op, around, kShifts, number, block_numbers(op.opcode)); !status.ok()) return status;
      }
      return {};
    }
    // z1, z2, m, s, zo: the shift is number 3.
    case SimdOpcode::quantify_multiply: return check_values(op, around, kShifts, 3, block_numbers(op.opcode));
    default: return {};
  }
}

Status read_form(const Operands &operands, Simd &op) {
  const std::uint32_t opcode = operands.field<kSimdCompute, "opcode">(), inputs = operands.field<kSimdCompute, "input_num">() + 1;
  const Configuration &configuration = operands.around().configuration;
  const SimdForm *form = configuration.find_simd(opcode, inputs);
  if (form == nullptr) {
    const bool known = std::any_of(configuration.simd.begin(), configuration.simd.end(),
                                   [opcode](const SimdForm &other) { return other.opcode == opcode; });
    return known ? Status(ErrorCode::unsupported, "input_num", -1, inputs - 1) : Status(ErrorCode::unsupported, "opcode", -1, opcode);
  }
  op.opcode = static_cast<SimdOpcode>(form->opcode);
  op.inputs = form->inputs;
  op.kinds = form->kinds;
  return {};
}

Status read_widths(const Operands &operands, Simd &op) {
  constexpr Special kWidths[kMostSimdInputs] = {Special::simd_input1_bit_width, Special::simd_input2_bit_width,
                                                Special::simd_input3_bit_width, Special::simd_input4_bit_width};
  for (unsigned i = 0; i < op.inputs; ++i) {
    op.input_width[i] = kMostWidth;
    if (op.kinds[i] == SimdKind::block) continue;
    if (Status status = read_width(operands, kWidths[i], op.input_width[i]); !status.ok()) return status;
    if (op.opcode == SimdOpcode::quantify_resadd && op.input_width[i] > kMostResaddWidth) {
      return out_of_range(name_of(kWidths[i]), op.input_width[i], kMostResaddWidth);
    }
  }
  return read_width(operands, Special::simd_output_bit_width, op.output_width);
}

void read_addresses(const Operands &operands, Simd &op) {
  const unsigned of_rs1 = op.inputs > 2 ? 2 : 1;
  for (unsigned i = 0; i < op.inputs; ++i) {
    op.input[i] = i < of_rs1 ? operands.general<kSimdCompute, "rs1">(i) : operands.general<kSimdCompute, "rs2">(i - of_rs1);
  }
  op.output = operands.general<kSimdCompute, "rd">();
}

}  // namespace

Result<Operation> resolve_simd(const Operands &operands) {
  Simd op;
  if (Status status = read_form(operands, op); !status.ok()) return status;
  if (Status status = read_widths(operands, op); !status.ok()) return status;
  op.length = operands.general<kSimdCompute, "rs3">();
  if (Status status = check_count("rs3", op.length); !status.ok()) return status;
  read_addresses(operands, op);
  if (Status status = check_accesses(op, operands.around()); !status.ok()) return status;
  if (Status status = check_operands(op, operands.around()); !status.ok()) return status;
  return Operation(op);
}

}  // namespace cox::isa::pim::detail
