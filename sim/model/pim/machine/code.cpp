// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/code.h"

#include "coxswain/isa/named_field.h"
#include "coxswain/isa/pim/table.h"

namespace cox::model::pim {

using isa::get;
using isa::pim::MachineCode;
using isa::pim::Opcode;

namespace {

template <Opcode kOpcode>
Decoded two_registers(Quick quick, const MachineCode &code) {
  return {quick, static_cast<std::uint8_t>(get<kOpcode, "rs1">(code)), static_cast<std::uint8_t>(get<kOpcode, "rs2">(code)),
          static_cast<std::uint8_t>(get<kOpcode, "rd">(code)), 0};
}

template <Opcode kOpcode>
Decoded immediate(Quick quick, const MachineCode &code) {
  return {quick, static_cast<std::uint8_t>(get<kOpcode, "rs1">(code)), 0, static_cast<std::uint8_t>(get<kOpcode, "rd">(code)),
          static_cast<std::uint32_t>(get<kOpcode, "imm">(code))};
}

template <Opcode kOpcode>
Decoded load_store(Quick quick, const MachineCode &code) {
  const auto number = static_cast<std::uint8_t>(get<kOpcode, "rs2">(code));
  return {quick, static_cast<std::uint8_t>(get<kOpcode, "rs1">(code)), number, number,
          static_cast<std::uint32_t>(get<kOpcode, "offset">(code))};
}

}  // namespace

Code::Code(const isa::pim::Configuration &configuration, const isa::pim::Program &program, unsigned core)
    : configuration_(configuration), program_(program), core_(core), size_(program.entry(core).instructions), decoded_(size_) {}

Decoded Code::decode(std::uint32_t number) const {
  const MachineCode code = word(number);
  if (!isa::pim::check(code).ok()) return {Quick::refused};
  const auto target = [&](std::int32_t offset) {
    const std::int64_t to = std::int64_t{number} + offset;
    return to < 0 || to > std::int64_t{size_} ? kNoTarget : static_cast<std::uint32_t>(to);
  };
  const auto branch = [&]<Opcode kOpcode>(Quick quick) -> Decoded {
    return {quick, static_cast<std::uint8_t>(get<kOpcode, "rs1">(code)), static_cast<std::uint8_t>(get<kOpcode, "rs2">(code)), 0,
            target(get<kOpcode, "offset">(code))};
  };
  // The general register to which the special one is bound, or the special one itself.
  const auto binding = [&](std::uint32_t special) { return configuration_.bound[special]; };
  switch (isa::pim::Set::find(code)->opcode) {
    case Opcode::add: return two_registers<Opcode::add>(Quick::add, code);
    case Opcode::sub: return two_registers<Opcode::sub>(Quick::sub, code);
    case Opcode::mul: return two_registers<Opcode::mul>(Quick::mul, code);
    case Opcode::div: return two_registers<Opcode::div>(Quick::div, code);
    case Opcode::sll: return two_registers<Opcode::sll>(Quick::sll, code);
    case Opcode::srl: return two_registers<Opcode::srl>(Quick::srl, code);
    case Opcode::sra: return two_registers<Opcode::sra>(Quick::sra, code);
    case Opcode::mod: return two_registers<Opcode::mod>(Quick::mod, code);
    case Opcode::addi: return immediate<Opcode::addi>(Quick::addi, code);
    case Opcode::muli: return immediate<Opcode::muli>(Quick::muli, code);
    case Opcode::lui: {
      Decoded lui = immediate<Opcode::lui>(Quick::constant, code);
      lui.value <<= 16;
      return lui;
    }
    case Opcode::load_local: return load_store<Opcode::load_local>(Quick::load, code);
    case Opcode::store_local: return load_store<Opcode::store_local>(Quick::store, code);
    case Opcode::general_li:
      return {Quick::constant, 0, 0, static_cast<std::uint8_t>(get<Opcode::general_li, "rd">(code)), get<Opcode::general_li, "imm">(code)};
    case Opcode::special_li: {
      const auto special = static_cast<std::uint8_t>(get<Opcode::special_li, "rd">(code));
      const std::uint32_t value = get<Opcode::special_li, "imm">(code);
      if (const std::uint8_t general = binding(special); general != isa::pim::kUnbound) return {Quick::constant, 0, 0, general, value};
      return {Quick::special_constant, 0, 0, special, value};
    }
    case Opcode::general_to_special: {
      const auto from = static_cast<std::uint8_t>(get<Opcode::general_to_special, "rs1">(code));
      const auto special = static_cast<std::uint8_t>(get<Opcode::general_to_special, "rs2">(code));
      if (const std::uint8_t general = binding(special); general != isa::pim::kUnbound) return {Quick::copy, from, 0, general};
      return {Quick::to_special, from, 0, special};
    }
    case Opcode::special_to_general: {
      const auto to = static_cast<std::uint8_t>(get<Opcode::special_to_general, "rs1">(code));
      const auto special = static_cast<std::uint8_t>(get<Opcode::special_to_general, "rs2">(code));
      if (const std::uint8_t general = binding(special); general != isa::pim::kUnbound) return {Quick::copy, general, 0, to};
      return {Quick::from_special, special, 0, to};
    }
    case Opcode::beq: return branch.operator()<Opcode::beq>(Quick::beq);
    case Opcode::bne: return branch.operator()<Opcode::bne>(Quick::bne);
    case Opcode::bgt: return branch.operator()<Opcode::bgt>(Quick::bgt);
    case Opcode::blt: return branch.operator()<Opcode::blt>(Quick::blt);
    case Opcode::jmp: return {Quick::jmp, 0, 0, 0, target(get<Opcode::jmp, "offset">(code))};
    default: return {Quick::slow};
  }
}

}  // namespace cox::model::pim
