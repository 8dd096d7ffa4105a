// SPDX-License-Identifier: MIT
#include <array>

#include "coxswain/isa/instruction_set_code.h"
#include "coxswain/isa/pim/table.h"

template class cox::isa::InstructionSet<cox::isa::pim::Traits>;

namespace cox::isa::pim {
namespace {

constexpr unsigned kNoRow = 255;
constexpr unsigned kHighBit = 26, kLowBits = 3;  // bits that identify an instruction are from kHighBit up or below kLowBits
constexpr std::uint32_t kLowMask = (1U << kLowBits) - 1;

constexpr bool are_identities_in_place() {
  for (const Instruction &row : kInstructions) {
    for (const Field &field : row.identity) {
      if (field.bit < kHighBit && field.bit_of(1) > kLowBits) return false;
    }
  }
  return true;
}
static_assert(are_identities_in_place());

/// Number of the row for each value of the bits that can identify it; kNoRow without one.
constexpr auto kRows = [] {
  std::array<std::uint8_t, 1U << (32 - kHighBit + kLowBits)> rows{};
  for (unsigned bits = 0; bits < rows.size(); ++bits) {
    const Instruction *row = Set::find(bits >> kLowBits << kHighBit | (bits & kLowMask));
    rows[bits] = static_cast<std::uint8_t>(row == nullptr ? kNoRow : row - kInstructions);
  }
  return rows;
}();

}  // namespace

const Instruction *find_quickly(const MachineCode &code) {
  const unsigned row = kRows[code[0] >> kHighBit << kLowBits | (code[0] & kLowMask)];
  return row == kNoRow ? nullptr : &kInstructions[row];
}

Status check(const MachineCode &code) {
  if (const Status status = Set::check(code); !status) return status;
  constexpr Opcode kSimd = Opcode::simd_compute;
  if (find_quickly(code)->opcode != kSimd) return {};
  constexpr std::uint32_t kLast = kRegisters - 1;
  const std::uint32_t inputs = get<kSimd, "input_num">(code) + 1;
  if (inputs >= 3 && get<kSimd, "rs1">(code) == kLast) return Status(ErrorCode::field_out_of_range, "rs1", -1, kLast, kLast - 1);
  if (inputs == 4 && get<kSimd, "rs2">(code) == kLast) return Status(ErrorCode::field_out_of_range, "rs2", -1, kLast, kLast - 1);
  return {};
}

}  // namespace cox::isa::pim
