// SPDX-License-Identifier: MIT
// Instructions that move bytes: trans, send and receive.
#include "coxswain/isa/pim/resolve.h"

namespace cox::isa::pim::detail {
namespace {

/// Checks the other core's end of a message. Its memories are those of this core.
Status check_other_end(const char *field, std::uint32_t first, std::uint32_t bytes, const Configuration &configuration) {
  if (bytes == 0 || place(configuration, Reach::local, first, bytes).found()) return {};
  return outside(configuration, Reach::local, field, first);
}

template <Opcode Op, FixedString Core>
Status read_message(const Operands &operands, Message &op) {
  op.synchronous = operands.field<Op, "sync">() == 0;
  op.core = operands.general<Op, Core>();
  op.id = operands.general<Op, "reg_id">();
  op.bytes = operands.general<Op, "reg_len">();
  if (Status status = check_other_core(isa::field<Op, Core>().name, op.core, operands.around()); !status.ok()) return status;
  return check_count("reg_len", op.bytes);
}

}  // namespace

Status check_other_core(const char *field, std::uint32_t core, const Surroundings &around) {
  if (core >= around.cores) return out_of_range(field, core, std::int64_t{around.cores} - 1);
  return core == around.core ? Status(ErrorCode::own_core, field, -1, core) : Status{};
}

Result<Operation> resolve_trans(const Operands &operands) {
  constexpr Opcode kTrans = Opcode::trans;
  Trans op;
  const std::uint32_t offset = operands.field<kTrans, "offset">();
  op.source = operands.general<kTrans, "rs1">() + operands.field<kTrans, "source_offset">() * offset;
  op.destination = operands.general<kTrans, "rd">() + operands.field<kTrans, "destination_offset">() * offset;
  op.bytes = operands.general<kTrans, "rs2">();
  if (Status status = check_count("rs2", op.bytes); !status.ok()) return status;
  if (Status status = check_accesses(op, operands.around()); !status.ok()) return status;
  return Operation(op);
}

Result<Operation> resolve_send(const Operands &operands) {
  constexpr Opcode kSend = Opcode::send;
  Message op{.send = true};
  if (Status status = read_message<kSend, "rd1">(operands, op); !status.ok()) return status;
  op.source = operands.general<kSend, "rs">();
  op.destination = operands.general<kSend, "rd2">();
  if (Status status = check_accesses(op, operands.around()); !status.ok()) return status;
  const Configuration &configuration = operands.around().configuration;
  if (Status status = check_other_end("rd2", op.destination, op.bytes, configuration); !status.ok()) return status;
  return Operation(op);
}

Result<Operation> resolve_receive(const Operands &operands) {
  constexpr Opcode kReceive = Opcode::receive;
  Message op{.send = false};
  if (Status status = read_message<kReceive, "rs1">(operands, op); !status.ok()) return status;
  op.source = operands.general<kReceive, "rs2">();
  op.destination = operands.general<kReceive, "rd">();
  const Configuration &configuration = operands.around().configuration;
  if (Status status = check_other_end("rs2", op.source, op.bytes, configuration); !status.ok()) return status;
  if (Status status = check_accesses(op, operands.around()); !status.ok()) return status;
  return Operation(op);
}

}  // namespace cox::isa::pim::detail
