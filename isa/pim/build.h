// SPDX-License-Identifier: MIT
// Makes PIM instructions from register numbers and constants. A function names the register or registers that its instruction writes
// first, like `add(rd, rs1, rs2)`. Nothing is checked, and values are truncated to their fields: check() finds what is illegal, resolve()
// what the registers make wrong.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/table.h"

namespace cox::isa::pim::build {

/// A general register.
struct Reg {
  std::uint8_t number = 0;
};
[[nodiscard]] constexpr Reg r(unsigned number) { return {static_cast<std::uint8_t>(number)}; }

namespace detail {

template <Opcode Op>
constexpr MachineCode with_rs1_rs2(Reg rs1, Reg rs2) {
  MachineCode code = begin<Op>();
  put<Op, "rs1">(code, rs1.number);
  put<Op, "rs2">(code, rs2.number);
  return code;
}

template <Opcode Op>
constexpr MachineCode calculate(Reg rd, Reg rs1, Reg rs2) {
  MachineCode code = with_rs1_rs2<Op>(rs1, rs2);
  put<Op, "rd">(code, rd.number);
  return code;
}

template <Opcode Op>
constexpr MachineCode calculate_with(Reg rd, Reg rs1, std::int32_t imm) {
  MachineCode code = begin<Op>();
  put<Op, "rs1">(code, rs1.number);
  put<Op, "rd">(code, rd.number);
  put<Op, "imm">(code, imm);
  return code;
}

template <Opcode Op>
constexpr MachineCode load_or_store(Reg data, Reg base, std::int32_t offset) {
  MachineCode code = with_rs1_rs2<Op>(base, data);
  put<Op, "offset">(code, offset);
  return code;
}

template <Opcode Op>
constexpr MachineCode branch(Reg rs1, Reg rs2, std::int32_t offset) {
  MachineCode code = with_rs1_rs2<Op>(rs1, rs2);
  put<Op, "offset">(code, offset);
  return code;
}

}  // namespace detail

// PIM.

struct ComputeFlags {
  bool value_sparse = false, bit_sparse = false, group = false, group_input_mode = false;
};
/// `inputs`: address, `length`: number of inputs.
constexpr MachineCode pim_compute(Reg inputs, Reg length, Reg row, ComputeFlags flags = {}) {
  constexpr Opcode kOp = Opcode::pim_compute;
  MachineCode code = detail::with_rs1_rs2<kOp>(inputs, length);
  put<kOp, "rs3">(code, row.number);
  put<kOp, "value_sparse">(code, flags.value_sparse);
  put<kOp, "bit_sparse">(code, flags.bit_sparse);
  put<kOp, "group">(code, flags.group);
  put<kOp, "group_input_mode">(code, flags.group_input_mode);
  return code;
}

/// True: the register has the address of a table of offsets. False: it has a step.
struct BatchModes {
  bool input = false, meta = false, mask = false;
};
constexpr MachineCode pim_batch(Reg computes, Reg input, Reg meta, Reg mask, BatchModes modes = {}) {
  constexpr Opcode kOp = Opcode::pim_batch;
  MachineCode code = detail::with_rs1_rs2<kOp>(computes, input);
  put<kOp, "rs3">(code, meta.number);
  put<kOp, "rs4">(code, mask.number);
  put<kOp, "input_mode">(code, modes.input);
  put<kOp, "meta_mode">(code, modes.meta);
  put<kOp, "mask_mode">(code, modes.mask);
  return code;
}

struct OutputFlags {
  bool outsum = false, outsum_move = false;
};
/// Without flags, `sums` and `mask` have no effect.
constexpr MachineCode pim_output(Reg output, Reg sums = {}, Reg mask = {}, OutputFlags flags = {}) {
  constexpr Opcode kOp = Opcode::pim_output;
  MachineCode code = detail::with_rs1_rs2<kOp>(sums, mask);
  put<kOp, "rd">(code, output.number);
  put<kOp, "outsum">(code, flags.outsum);
  put<kOp, "outsum_move">(code, flags.outsum_move);
  return code;
}

constexpr MachineCode pim_transfer(Reg destination, Reg source, Reg results, Reg mask) {
  constexpr Opcode kOp = Opcode::pim_transfer;
  MachineCode code = detail::with_rs1_rs2<kOp>(source, results);
  put<kOp, "rs3">(code, mask.number);
  put<kOp, "rd">(code, destination.number);
  return code;
}

// SIMD.

/// `inputs`: 1 to 4. Input 1 is at the address in rs1; docs/isa/pim.md, SIMD, says which registers have the others.
constexpr MachineCode simd_compute(SimdOpcode opcode, unsigned inputs, Reg output, Reg rs1, Reg rs2, Reg length) {
  constexpr Opcode kOp = Opcode::simd_compute;
  MachineCode code = detail::with_rs1_rs2<kOp>(rs1, rs2);
  put<kOp, "input_num">(code, inputs - 1);
  put<kOp, "opcode">(code, opcode);
  put<kOp, "rs3">(code, length.number);
  put<kOp, "rd">(code, output.number);
  return code;
}

// Scalars.

constexpr MachineCode add(Reg rd, Reg rs1, Reg rs2) { return detail::calculate<Opcode::add>(rd, rs1, rs2); }
constexpr MachineCode sub(Reg rd, Reg rs1, Reg rs2) { return detail::calculate<Opcode::sub>(rd, rs1, rs2); }
constexpr MachineCode mul(Reg rd, Reg rs1, Reg rs2) { return detail::calculate<Opcode::mul>(rd, rs1, rs2); }
constexpr MachineCode div(Reg rd, Reg rs1, Reg rs2) { return detail::calculate<Opcode::div>(rd, rs1, rs2); }
constexpr MachineCode sll(Reg rd, Reg rs1, Reg rs2) { return detail::calculate<Opcode::sll>(rd, rs1, rs2); }
constexpr MachineCode srl(Reg rd, Reg rs1, Reg rs2) { return detail::calculate<Opcode::srl>(rd, rs1, rs2); }
constexpr MachineCode sra(Reg rd, Reg rs1, Reg rs2) { return detail::calculate<Opcode::sra>(rd, rs1, rs2); }
constexpr MachineCode mod(Reg rd, Reg rs1, Reg rs2) { return detail::calculate<Opcode::mod>(rd, rs1, rs2); }

/// imm: -32768 to 32767.
constexpr MachineCode addi(Reg rd, Reg rs1, std::int32_t imm) { return detail::calculate_with<Opcode::addi>(rd, rs1, imm); }
constexpr MachineCode muli(Reg rd, Reg rs1, std::int32_t imm) { return detail::calculate_with<Opcode::muli>(rd, rs1, imm); }
constexpr MachineCode lui(Reg rd, std::int32_t imm) { return detail::calculate_with<Opcode::lui>(rd, {}, imm); }

/// imm: 0 to 2,097,151.
constexpr MachineCode general_li(Reg rd, std::uint32_t imm) {
  constexpr Opcode kOp = Opcode::general_li;
  MachineCode code = begin<kOp>();
  put<kOp, "rd">(code, rd.number);
  put<kOp, "imm">(code, imm);
  return code;
}
constexpr MachineCode special_li(Special rd, std::uint32_t imm) {
  constexpr Opcode kOp = Opcode::special_li;
  MachineCode code = begin<kOp>();
  put<kOp, "rd">(code, rd);
  put<kOp, "imm">(code, imm);
  return code;
}
constexpr MachineCode general_to_special(Special to, Reg from) {
  constexpr Opcode kOp = Opcode::general_to_special;
  MachineCode code = begin<kOp>();
  put<kOp, "rs1">(code, from.number);
  put<kOp, "rs2">(code, to);
  return code;
}
constexpr MachineCode special_to_general(Reg to, Special from) {
  constexpr Opcode kOp = Opcode::special_to_general;
  MachineCode code = begin<kOp>();
  put<kOp, "rs1">(code, to.number);
  put<kOp, "rs2">(code, from);
  return code;
}

/// One or two instructions that write a constant of 32 bits to a general register. `for (const MachineCode &code : constant(rd, value))`
/// visits them.
struct Constant {
  std::array<MachineCode, 2> instructions{};
  unsigned count = 0;
  [[nodiscard]] constexpr const MachineCode *begin() const { return instructions.data(); }
  [[nodiscard]] constexpr const MachineCode *end() const { return instructions.data() + count; }
  [[nodiscard]] constexpr std::span<const MachineCode> code() const & { return {begin(), count}; }
  void code() const && = delete;  // the span would outlive its instructions
};
constexpr Constant constant(Reg rd, std::uint32_t value) {
  if (value < 1U << 21) return {{general_li(rd, value)}, 1};
  // addi extends its sign, so lui adds 1 to the upper half if the lower half is negative.
  const auto low = static_cast<std::int16_t>(value & 0xFFFF);
  const auto high = static_cast<std::int16_t>((value - static_cast<std::uint32_t>(low)) >> 16);
  return {{lui(rd, high), addi(rd, rd, low)}, low == 0 ? 1U : 2U};
}

// Moves. `offset`: bytes from the base, -32768 to 32767.

constexpr MachineCode load_local(Reg to, Reg base, std::int32_t offset = 0) {
  return detail::load_or_store<Opcode::load_local>(to, base, offset);
}
constexpr MachineCode store_local(Reg from, Reg base, std::int32_t offset = 0) {
  return detail::load_or_store<Opcode::store_local>(from, base, offset);
}
constexpr MachineCode load_global(Reg to, Reg base, std::int32_t offset = 0) {
  return detail::load_or_store<Opcode::load_global>(to, base, offset);
}
constexpr MachineCode store_global(Reg from, Reg base, std::int32_t offset = 0) {
  return detail::load_or_store<Opcode::store_global>(from, base, offset);
}

/// bytes: 0 to 2,047, added to the source or destination address, or both.
struct TransOffset {
  std::uint32_t bytes = 0;
  bool source = false, destination = false;
};
constexpr MachineCode trans(Reg destination, Reg source, Reg bytes, TransOffset offset = {}) {
  constexpr Opcode kOp = Opcode::trans;
  MachineCode code = detail::with_rs1_rs2<kOp>(source, bytes);
  put<kOp, "rd">(code, destination.number);
  put<kOp, "source_offset">(code, offset.source);
  put<kOp, "destination_offset">(code, offset.destination);
  put<kOp, "offset">(code, offset.bytes);
  return code;
}

// Messages and control.

/// The registers of a message: source and destination address, id and number of bytes.
struct MessageRegisters {
  Reg source, destination, id, bytes;
};
/// `core`: register of the destination core's number. An asynchronous send does not wait until the data has arrived.
constexpr MachineCode send(Reg core, MessageRegisters message, bool asynchronous = false) {
  constexpr Opcode kOp = Opcode::send;
  MachineCode code = begin<kOp>();
  put<kOp, "sync">(code, asynchronous);
  put<kOp, "rs">(code, message.source.number);
  put<kOp, "rd1">(code, core.number);
  put<kOp, "rd2">(code, message.destination.number);
  put<kOp, "reg_id">(code, message.id.number);
  put<kOp, "reg_len">(code, message.bytes.number);
  return code;
}
/// `core`: register of the source core's number.
constexpr MachineCode receive(Reg core, MessageRegisters message, bool asynchronous = false) {
  constexpr Opcode kOp = Opcode::receive;
  MachineCode code = detail::with_rs1_rs2<kOp>(core, message.source);
  put<kOp, "sync">(code, asynchronous);
  put<kOp, "rd">(code, message.destination.number);
  put<kOp, "reg_id">(code, message.id.number);
  put<kOp, "reg_len">(code, message.bytes.number);
  return code;
}
constexpr MachineCode wait(Reg core, Reg id) {
  constexpr Opcode kOp = Opcode::wait;
  MachineCode code = begin<kOp>();
  put<kOp, "rs_core">(code, core.number);
  put<kOp, "rs_id">(code, id.number);
  return code;
}
constexpr MachineCode barrier(Reg id, Reg cores) {
  constexpr Opcode kOp = Opcode::barrier;
  MachineCode code = begin<kOp>();
  put<kOp, "rs_id">(code, id.number);
  put<kOp, "rs_num">(code, cores.number);
  return code;
}

/// offset: instructions from this one to the target, -32768 to 32767.
constexpr MachineCode beq(Reg rs1, Reg rs2, std::int32_t offset) { return detail::branch<Opcode::beq>(rs1, rs2, offset); }
constexpr MachineCode bne(Reg rs1, Reg rs2, std::int32_t offset) { return detail::branch<Opcode::bne>(rs1, rs2, offset); }
constexpr MachineCode bgt(Reg rs1, Reg rs2, std::int32_t offset) { return detail::branch<Opcode::bgt>(rs1, rs2, offset); }
constexpr MachineCode blt(Reg rs1, Reg rs2, std::int32_t offset) { return detail::branch<Opcode::blt>(rs1, rs2, offset); }
/// offset: -33,554,432 to 33,554,431.
constexpr MachineCode jmp(std::int32_t offset) {
  MachineCode code = begin<Opcode::jmp>();
  put<Opcode::jmp, "offset">(code, offset);
  return code;
}

}  // namespace cox::isa::pim::build
