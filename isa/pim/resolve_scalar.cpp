// SPDX-License-Identifier: MIT
#include <limits>

#include "coxswain/isa/pim/resolve.h"

namespace cox::isa::pim::detail {
namespace {

std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value); }
std::uint32_t as_unsigned(std::int64_t value) { return static_cast<std::uint32_t>(value); }

/// All divisions have a result: x / 0 is -1, x mod 0 is x, and in 64 bits -2^31 / -1 is 2^31, whose low half is -2^31.
std::uint32_t divide(std::uint32_t a, std::uint32_t b) {
  return b == 0 ? std::numeric_limits<std::uint32_t>::max() : as_unsigned(std::int64_t{as_signed(a)} / as_signed(b));
}
std::uint32_t remainder(std::uint32_t a, std::uint32_t b) { return b == 0 ? a : as_unsigned(std::int64_t{as_signed(a)} % as_signed(b)); }

std::uint32_t calculate(Opcode opcode, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t shift = b % 32;
  switch (opcode) {
    case Opcode::sub: return a - b;
    case Opcode::mul: return a * b;
    case Opcode::div: return divide(a, b);
    case Opcode::sll: return a << shift;
    case Opcode::srl: return a >> shift;
    case Opcode::sra: return as_unsigned(as_signed(a) >> shift);
    case Opcode::mod: return remainder(a, b);
    default: return a + b;
  }
}

// Instructions of a class have their fields at the same bits, so that one reader serves them.

Operation two_registers(Opcode opcode, const Operands &operands) {
  constexpr Opcode kAny = Opcode::add;
  static_assert(same_bits<kAny, Opcode::mod, "rs1">() && same_bits<kAny, Opcode::mod, "rs2">() && same_bits<kAny, Opcode::mod, "rd">());
  const std::uint32_t value = calculate(opcode, operands.general<kAny, "rs1">(), operands.general<kAny, "rs2">());
  return SetGeneral{static_cast<std::uint8_t>(operands.field<kAny, "rd">()), value};
}

Operation immediate(Opcode opcode, const Operands &operands) {
  constexpr Opcode kAny = Opcode::addi;
  static_assert(same_bits<kAny, Opcode::lui, "rs1">() && same_bits<kAny, Opcode::lui, "rd">() && same_bits<kAny, Opcode::lui, "imm">());
  const std::uint32_t a = operands.general<kAny, "rs1">(), b = as_unsigned(operands.field<kAny, "imm">());
  const std::uint32_t value = opcode == Opcode::addi ? a + b : opcode == Opcode::muli ? a * b : b << 16;
  return SetGeneral{static_cast<std::uint8_t>(operands.field<kAny, "rd">()), value};
}

Result<Operation> load_or_store(const Operands &operands, bool store, bool global) {
  constexpr Opcode kAny = Opcode::load_local;
  static_assert(same_bits<kAny, Opcode::store_global, "rs1">() && same_bits<kAny, Opcode::store_global, "rs2">() &&
                same_bits<kAny, Opcode::store_global, "offset">());
  LoadStore op{.store = store, .global = global};
  op.number = static_cast<std::uint8_t>(operands.field<kAny, "rs2">());
  op.address = operands.general<kAny, "rs1">() + as_unsigned(operands.field<kAny, "offset">());
  if (Status status = check_accesses(op, operands.around()); !status.ok()) return status;
  return Operation(op);
}

}  // namespace

Result<Operation> resolve_scalar(Opcode opcode, const Operands &operands) {
  constexpr Opcode kGeneralLi = Opcode::general_li, kSpecialLi = Opcode::special_li;
  constexpr Opcode kToSpecial = Opcode::general_to_special, kToGeneral = Opcode::special_to_general;
  switch (opcode) {
    case Opcode::addi:
    case Opcode::muli:
    case Opcode::lui: return immediate(opcode, operands);
    case Opcode::load_local: return load_or_store(operands, false, false);
    case Opcode::store_local: return load_or_store(operands, true, false);
    case Opcode::load_global: return load_or_store(operands, false, true);
    case Opcode::store_global: return load_or_store(operands, true, true);
    case Opcode::general_li:
      return Operation(SetGeneral{static_cast<std::uint8_t>(operands.field<kGeneralLi, "rd">()), operands.field<kGeneralLi, "imm">()});
    case Opcode::special_li:
      return Operation(SetSpecial{static_cast<Special>(operands.field<kSpecialLi, "rd">()), operands.field<kSpecialLi, "imm">()});
    case Opcode::general_to_special:
      return Operation(SetSpecial{static_cast<Special>(operands.field<kToSpecial, "rs2">()), operands.general<kToSpecial, "rs1">()});
    case Opcode::special_to_general: {
      const std::uint32_t value = operands.special(static_cast<Special>(operands.field<kToGeneral, "rs2">()));
      return Operation(SetGeneral{static_cast<std::uint8_t>(operands.field<kToGeneral, "rs1">()), value});
    }
    default: return two_registers(opcode, operands);
  }
}

}  // namespace cox::isa::pim::detail
