// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/resolve.h"

namespace cox::isa::pim::detail {
namespace {

bool is_taken(Opcode opcode, std::uint32_t a, std::uint32_t b) {
  switch (opcode) {
    case Opcode::beq: return a == b;
    case Opcode::bne: return a != b;
    case Opcode::bgt: return static_cast<std::int32_t>(a) > static_cast<std::int32_t>(b);
    default: return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  }
}

Result<Operation> jump_by(std::int32_t offset, const Surroundings &around) {
  const std::int64_t target = std::int64_t{around.counter} + offset;
  if (target < 0 || target > around.instructions) {
    return Status(ErrorCode::branch_outside_program, "offset", -1, target, around.instructions);
  }
  return Operation(Jump{static_cast<std::uint32_t>(target)});
}

Result<Operation> branch(Opcode opcode, const Operands &operands) {
  constexpr Opcode kAny = Opcode::beq;
  static_assert(same_bits<kAny, Opcode::blt, "rs1">() && same_bits<kAny, Opcode::blt, "rs2">() && same_bits<kAny, Opcode::blt, "offset">());
  const bool taken = is_taken(opcode, operands.general<kAny, "rs1">(), operands.general<kAny, "rs2">());
  if (!taken) return Operation(Jump{operands.around().counter + 1});
  return jump_by(operands.field<kAny, "offset">(), operands.around());
}

Result<Operation> resolve_wait(const Operands &operands) {
  const Wait op{.core = operands.general<Opcode::wait, "rs_core">(), .id = operands.general<Opcode::wait, "rs_id">()};
  if (Status status = check_other_core("rs_core", op.core, operands.around()); !status.ok()) return status;
  return Operation(op);
}

Result<Operation> resolve_barrier(const Operands &operands) {
  const Barrier op{.id = operands.general<Opcode::barrier, "rs_id">(), .cores = operands.general<Opcode::barrier, "rs_num">()};
  const std::int64_t cores = signed_count(op.cores), most = operands.around().cores;
  if (cores < 1) return Status(ErrorCode::barrier_mismatch, "rs_num", -1, cores, 1);
  if (cores > most) return Status(ErrorCode::barrier_mismatch, "rs_num", -1, cores, most);
  return Operation(op);
}

}  // namespace

Result<Operation> resolve_control(Opcode opcode, const Operands &operands) {
  switch (opcode) {
    case Opcode::jmp: return jump_by(operands.field<Opcode::jmp, "offset">(), operands.around());
    case Opcode::wait: return resolve_wait(operands);
    case Opcode::barrier: return resolve_barrier(operands);
    default: return branch(opcode, operands);
  }
}

}  // namespace cox::isa::pim::detail
