// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/mask.h"
#include "coxswain/isa/pim/resolve.h"

namespace cox::isa::pim::detail {
namespace {

constexpr Opcode kCompute = Opcode::pim_compute, kBatch = Opcode::pim_batch;

Status read_sparsity(const Operands &operands, Compute &op) {
  op.value_sparse = operands.field<kCompute, "value_sparse">() != 0;
  op.bit_sparse = operands.field<kCompute, "bit_sparse">() != 0;
  if (Status status = read_width(operands, Special::input_bit_width, op.input_width); !status.ok()) return status;
  if (Status status = read_width(operands, Special::weight_bit_width, op.weight_width); !status.ok()) return status;
  if (op.bit_sparse && op.weight_width != 1) return out_of_range(name_of(Special::weight_bit_width), op.weight_width, 1);
  if (op.value_sparse) op.first.mask = operands.special(Special::value_sparse_mask);
  if (op.bit_sparse) op.first.meta = operands.special(Special::bit_sparse_meta);
  return {};
}

Status read_groups(const Operands &operands, Compute &op) {
  const bool grouped = operands.field<kCompute, "group">() != 0;
  Columns columns;
  if (Status status = read_columns(operands, grouped, op.weight_width, columns); !status.ok()) return status;
  op.columns = columns.columns;
  op.groups = columns.groups;
  op.group_macros = columns.group_macros;
  op.group_columns = columns.group_columns;
  op.working_macros = (op.group_columns + op.columns - 1) / op.columns;
  if (grouped) {
    op.group_advance = {operands.field<kCompute, "group_input_mode">() != 0, operands.special(Special::group_input)};
  }
  return {};
}

Status read_inputs(const Operands &operands, Compute &op) {
  const Array &array = operands.around().configuration.array;
  op.first.input = operands.general<kCompute, "rs1">();
  op.inputs = operands.general<kCompute, "rs2">();
  if (Status status = check_count("rs2", op.inputs); !status.ok()) return status;
  if (!op.value_sparse && op.inputs > array.compartments) return out_of_range("rs2", op.inputs, array.compartments);
  op.first.row = operands.general<kCompute, "rs3">();
  if (op.first.row >= array.rows) return out_of_range("rs3", op.first.row, array.rows - 1);
  return {};
}

Status read_batch(const MachineCode &batch, const Operands &operands, Compute &op) {
  const Operands of_batch(batch, operands.around());
  op.batched = true;
  op.count = of_batch.general<kBatch, "rs1">();
  if (signed_count(op.count) < 1) return out_of_range("batch_rs1", signed_count(op.count), 1);
  const std::uint32_t rows = operands.around().configuration.array.rows - op.first.row;
  if (op.count > rows) return out_of_range("batch_rs1", op.count, rows);
  op.input_advance = {of_batch.field<kBatch, "input_mode">() != 0, of_batch.general<kBatch, "rs2">()};
  if (op.bit_sparse) op.meta_advance = {of_batch.field<kBatch, "meta_mode">() != 0, of_batch.general<kBatch, "rs3">()};
  if (op.value_sparse) op.mask_advance = {of_batch.field<kBatch, "mask_mode">() != 0, of_batch.general<kBatch, "rs4">()};
  return {};
}

/// Each macro has a compartment for every input that its mask selects.
Status check_masks(const Operands &operands, const Compute &op) {
  if (!op.value_sparse || op.touches_nothing()) return {};
  const Surroundings &around = operands.around();
  const std::uint32_t compartments = around.configuration.array.compartments;
  if (op.inputs <= compartments) return {};
  for (std::uint32_t i = 0; i < op.count; ++i) {
    Mask mask(around, step(op, around.configuration, around.memory, i).mask, std::uint64_t{op.inputs} * op.working_macros);
    for (std::uint32_t macro = 0; macro < op.working_macros; ++macro) {
      const std::uint64_t set = mask.count(std::uint64_t{macro} * op.inputs, op.inputs);
      if (set > compartments)
        return out_of_range(name_of(Special::value_sparse_mask), signed_of(set), compartments).at(static_cast<std::int32_t>(macro));
    }
  }
  return {};
}

}  // namespace

Result<Operation> resolve_compute(const Operands &operands, const MachineCode *batch) {
  Compute op;
  if (Status status = read_sparsity(operands, op); !status.ok()) return status;
  if (Status status = read_groups(operands, op); !status.ok()) return status;
  if (Status status = read_inputs(operands, op); !status.ok()) return status;
  if (batch != nullptr) {
    if (Status status = read_batch(*batch, operands, op); !status.ok()) return status;
  }
  if (Status status = check_accesses(op, operands.around()); !status.ok()) return status;
  if (Status status = check_masks(operands, op); !status.ok()) return status;
  return Operation(op);
}

}  // namespace cox::isa::pim::detail
