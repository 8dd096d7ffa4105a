// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/resolve.h"

#include <bit>

namespace cox::isa::pim {
namespace detail {

const char *name_of(Special name) { return kSpecial.find(static_cast<std::int64_t>(name))->name; }

Status read_width(const Operands &operands, Special name, std::uint8_t &width) {
  const std::uint32_t value = operands.special(name);
  if (value > kMostWidth || !std::has_single_bit(value)) return out_of_range(name_of(name), value, kMostWidth);
  width = static_cast<std::uint8_t>(value);
  return {};
}

Status read_columns(const Operands &operands, bool grouped, std::uint8_t weight_width, Columns &columns) {
  const Array &array = operands.around().configuration.array;
  columns.columns = array.line_bits() / weight_width;
  if (columns.columns == 0) return out_of_range(name_of(Special::weight_bit_width), weight_width, array.line_bits());
  columns.groups = 1;
  columns.group_macros = array.macros;
  if (grouped) {
    columns.group_macros = operands.special(Special::group_size);
    if (!array.has_group_size(columns.group_macros)) {
      return out_of_range(name_of(Special::group_size), columns.group_macros, array.group_sizes[0]);
    }
    columns.groups = operands.special(Special::activation_group_num);
    constexpr Special kGroups = Special::activation_group_num;
    if (Status status = check_count(name_of(kGroups), columns.groups); !status.ok()) return status;
    const std::uint32_t most = array.macros / columns.group_macros;
    if (columns.groups > most) return out_of_range(name_of(kGroups), columns.groups, most);
  }
  columns.group_columns = operands.special(Special::activation_column_num);
  const char *name = name_of(Special::activation_column_num);
  const std::int64_t value = signed_count(columns.group_columns), most = std::int64_t{columns.columns} * columns.group_macros;
  if (value < 1) return out_of_range(name, value, 1);
  if (value > most) return out_of_range(name, value, most);
  return {};
}

}  // namespace detail

Result<Operation> resolve(const MachineCode &code, const MachineCode *batch, const Surroundings &surroundings) {
  const detail::Operands operands(code, surroundings);
  const Opcode opcode = find_quickly(code)->opcode;
  switch (opcode) {
    case Opcode::pim_compute: return detail::resolve_compute(operands, batch);
    case Opcode::pim_batch: return Status(ErrorCode::batch_without_compute, "pim-batch");
    case Opcode::pim_output: return detail::resolve_output(operands);
    case Opcode::pim_transfer: return detail::resolve_transfer(operands);
    case Opcode::simd_compute: return detail::resolve_simd(operands);
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::div:
    case Opcode::sll:
    case Opcode::srl:
    case Opcode::sra:
    case Opcode::mod:
    case Opcode::addi:
    case Opcode::muli:
    case Opcode::lui:
    case Opcode::load_local:
    case Opcode::store_local:
    case Opcode::load_global:
    case Opcode::store_global:
    case Opcode::general_li:
    case Opcode::special_li:
    case Opcode::general_to_special:
    case Opcode::special_to_general: return detail::resolve_scalar(opcode, operands);
    case Opcode::trans: return detail::resolve_trans(operands);
    case Opcode::send: return detail::resolve_send(operands);
    case Opcode::receive: return detail::resolve_receive(operands);
    case Opcode::beq:
    case Opcode::bne:
    case Opcode::bgt:
    case Opcode::blt:
    case Opcode::jmp:
    case Opcode::wait:
    case Opcode::barrier: return detail::resolve_control(opcode, operands);
  }
  return Status(ErrorCode::unknown_instruction, "opcode");
}

}  // namespace cox::isa::pim
