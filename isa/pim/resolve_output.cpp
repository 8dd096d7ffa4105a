// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/mask.h"
#include "coxswain/isa/pim/resolve.h"

namespace cox::isa::pim::detail {
namespace {

/// outsum and outsum_move take the number of results from rs1.
Status read_sums(const Operands &operands, Output &op) {
  constexpr Opcode kOutput = Opcode::pim_output;
  op.outsum = operands.field<kOutput, "outsum">() != 0;
  op.outsum_move = operands.field<kOutput, "outsum_move">() != 0;
  op.stored = op.group_columns;
  if (!op.outsum && !op.outsum_move) return {};
  op.sums = operands.general<kOutput, "rs1">();
  if (Status status = check_count("rs1", op.sums); !status.ok()) return status;
  const std::uint32_t most = op.outsum_move ? op.group_columns / 2 : op.group_columns;
  if (op.sums > most) return out_of_range("rs1", op.sums, most);
  if (op.outsum) op.mask = operands.general<kOutput, "rs2">();
  if (op.outsum_move) op.stored = op.sums;
  return {};
}

/// The last result has no next one that could be added to it.
Status check_last_bit(const Operands &operands, const Output &op) {
  if (!op.outsum || op.sums == 0 || op.groups == 0) return {};
  const std::uint32_t last = op.sums - 1;
  return Mask(operands.around(), op.mask, op.sums).bit(last) ? out_of_range("rs2", last, std::int64_t{last} - 1) : Status{};
}

}  // namespace

Result<Operation> resolve_output(const Operands &operands) {
  Output op;
  std::uint8_t weight_width = 0;
  if (Status status = read_width(operands, Special::output_bit_width, op.width); !status.ok()) return status;
  if (Status status = read_width(operands, Special::weight_bit_width, weight_width); !status.ok()) return status;
  Columns columns;
  const bool grouped = operands.special(Special::activation_group_num) != 1;
  if (Status status = read_columns(operands, grouped, weight_width, columns); !status.ok()) return status;
  op.columns = columns.columns;
  op.groups = columns.groups;
  op.group_macros = columns.group_macros;
  op.group_columns = columns.group_columns;
  if (Status status = read_sums(operands, op); !status.ok()) return status;
  op.output = operands.general<Opcode::pim_output, "rd">();
  op.group_bytes = vector_bytes(op.stored, op.width);
  if (Status status = check_accesses(op, operands.around()); !status.ok()) return status;
  if (Status status = check_last_bit(operands, op); !status.ok()) return status;
  return Operation(op);
}

Result<Operation> resolve_transfer(const Operands &operands) {
  constexpr Opcode kTransfer = Opcode::pim_transfer;
  Transfer op;
  if (Status status = read_width(operands, Special::output_bit_width, op.width); !status.ok()) return status;
  op.source = operands.general<kTransfer, "rs1">();
  op.results = operands.general<kTransfer, "rs2">();
  op.mask = operands.general<kTransfer, "rs3">();
  op.destination = operands.general<kTransfer, "rd">();
  if (Status status = check_count("rs2", op.results); !status.ok()) return status;
  // The mask is read only if it lies in a memory, and the size of the destination follows from it.
  if (Status status = check_accesses(op, operands.around()); !status.ok()) return status;
  op.valid = static_cast<std::uint32_t>(Mask(operands.around(), op.mask, op.results).count(0, op.results));
  if (Status status = check_accesses(op, operands.around()); !status.ok()) return status;
  return Operation(op);
}

}  // namespace cox::isa::pim::detail
