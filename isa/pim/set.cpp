// SPDX-License-Identifier: MIT
#include "isa/instruction_set_code.h"
#include "isa/pim/table.h"

template class cox::isa::InstructionSet<cox::isa::pim::Traits>;

namespace cox::isa::pim {

Status check(const MachineCode &code) {
  if (const Status status = Set::check(code); !status) return status;
  constexpr Opcode kSimd = Opcode::simd_compute;
  if (Set::find(code)->opcode != kSimd) return {};
  constexpr std::uint32_t kLast = kRegisters - 1;
  const std::uint32_t inputs = get<kSimd, "input_num">(code) + 1;
  if (inputs >= 3 && get<kSimd, "rs1">(code) == kLast) return Status(ErrorCode::field_out_of_range, "rs1", -1, kLast, kLast - 1);
  if (inputs == 4 && get<kSimd, "rs2">(code) == kLast) return Status(ErrorCode::field_out_of_range, "rs2", -1, kLast, kLast - 1);
  return {};
}

}  // namespace cox::isa::pim
