// SPDX-License-Identifier: MIT
// The PIM instruction set: every instruction with its fields, their bits, ranges and meaning. docs/isa/pim.md is generated from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/isa/field.h"
#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/named_field.h"
#include "coxswain/isa/pim/instruction.h"

namespace cox::isa::pim {

struct Instruction {
  const char *name;
  Opcode opcode;
  std::span<const Field> identity;  ///< the bits that identify the instruction
  std::uint32_t word;               ///< the values of these bits
  std::span<const Field> fields;
  Meaning meaning;
};

namespace detail {

// clang-format off
inline constexpr EnumValue kSpecialValues[] = {
    {"input_bit_width", 0}, {"output_bit_width", 1}, {"weight_bit_width", 2}, {"group_size", 3}, {"activation_group_num", 4},
    {"activation_column_num", 5}, {"group_input", 6}, {"value_sparse_mask", 7}, {"bit_sparse_meta", 8},
    {"simd_input1_bit_width", 16}, {"simd_input2_bit_width", 17}, {"simd_input3_bit_width", 18}, {"simd_input4_bit_width", 19},
    {"simd_output_bit_width", 20}};
inline constexpr EnumType kSpecial{"Special", kSpecialValues};

// The class, and as many bits of type and opcode as the class has.
inline constexpr Field kTop2[] = {{"class", 30, 2, 1, Kind::integer, 0, 3, {}, "the class"}};
inline constexpr Field kTop4[] = {{"class", 28, 4, 1, Kind::integer, 0, 15, {}, "class and type"}};
inline constexpr Field kTop5[] = {{"class", 27, 5, 1, Kind::integer, 0, 31, {}, "class and type"}};
inline constexpr Field kTop6[] = {{"class", 26, 6, 1, Kind::integer, 0, 63, {}, "class, type and operation"}};
inline constexpr Field kScalar[] = {
    {"class", 28, 4, 1, Kind::integer, 0, 15, {}, "class and type"},
    {"operation", 0, 3, 1, Kind::integer, 0, 7, {}, "the operation"},
};

inline constexpr Field k_pim_compute[] = {
    {"value_sparse", 23, 1, 1, Kind::boolean, 0, 1, {}, "the mask at value_sparse_mask selects inputs"},
    {"bit_sparse", 22, 1, 1, Kind::boolean, 0, 1, {}, "weights are signed digits; the meta data at bit_sparse_meta has signs and places"},
    {"group", 21, 1, 1, Kind::boolean, 0, 1, {}, "several groups compute"},
    {"group_input_mode", 20, 1, 1, Kind::boolean, 0, 1, {}, "group_input is the address of a table of offsets instead of a step"},
    {"rs1", 15, 5, 1, Kind::integer, 0, 31, {}, "register of the address of the inputs"},
    {"rs2", 10, 5, 1, Kind::integer, 0, 31, {}, "register of the number of inputs"},
    {"rs3", 5, 5, 1, Kind::integer, 0, 31, {}, "register of the row"},
};
inline constexpr Field k_pim_batch[] = {
    {"mask_mode", 22, 1, 1, Kind::boolean, 0, 1, {}, "rs4 is the address of a table of offsets instead of a step"},
    {"meta_mode", 21, 1, 1, Kind::boolean, 0, 1, {}, "rs3 is the address of a table of offsets instead of a step"},
    {"input_mode", 20, 1, 1, Kind::boolean, 0, 1, {}, "rs2 is the address of a table of offsets instead of a step"},
    {"rs1", 15, 5, 1, Kind::integer, 0, 31, {}, "register of the number of computes"},
    {"rs2", 10, 5, 1, Kind::integer, 0, 31, {}, "register of the inputs' step or table"},
    {"rs3", 5, 5, 1, Kind::integer, 0, 31, {}, "register of the meta data's step or table"},
    {"rs4", 0, 5, 1, Kind::integer, 0, 31, {}, "register of the masks' step or table"},
};
inline constexpr Field k_pim_output[] = {
    {"outsum_move", 21, 1, 1, Kind::boolean, 0, 1, {}, "adds pairs of neighbours, and stores only the sums"},
    {"outsum", 20, 1, 1, Kind::boolean, 0, 1, {}, "adds to each result of the mask its next one"},
    {"rs1", 15, 5, 1, Kind::integer, 0, 31, {}, "register of the number of results in the mask, or of sums"},
    {"rs2", 10, 5, 1, Kind::integer, 0, 31, {}, "register of the address of the mask"},
    {"rd", 0, 5, 1, Kind::integer, 0, 31, {}, "register of the address of the results"},
};
inline constexpr Field k_pim_transfer[] = {
    {"rs1", 15, 5, 1, Kind::integer, 0, 31, {}, "register of the address of the results"},
    {"rs2", 10, 5, 1, Kind::integer, 0, 31, {}, "register of the number of results"},
    {"rs3", 5, 5, 1, Kind::integer, 0, 31, {}, "register of the address of the mask"},
    {"rd", 0, 5, 1, Kind::integer, 0, 31, {}, "register of the address of the packed results"},
};
inline constexpr Field k_simd_compute[] = {
    {"input_num", 28, 2, 1, Kind::integer, 0, 3, {}, "number of inputs, less one"},
    {"opcode", 20, 8, 1, Kind::integer, 0, 255, {}, "the operation"},
    {"rs1", 15, 5, 1, Kind::integer, 0, 31, {}, "register of the address of input 1; the next register has input 2 if there are three or four"},
    {"rs2", 10, 5, 1, Kind::integer, 0, 31, {}, "register of the address of the next input; the register after it has input 4"},
    {"rs3", 5, 5, 1, Kind::integer, 0, 31, {}, "register of the number of elements"},
    {"rd", 0, 5, 1, Kind::integer, 0, 31, {}, "register of the address of the output"},
};
inline constexpr Field k_two_registers[] = {
    {"rs1", 21, 5, 1, Kind::integer, 0, 31, {}, "register of operand 1"},
    {"rs2", 16, 5, 1, Kind::integer, 0, 31, {}, "register of operand 2"},
    {"rd", 11, 5, 1, Kind::integer, 0, 31, {}, "register of the result"},
};
inline constexpr Field k_immediate[] = {
    {"rs1", 21, 5, 1, Kind::integer, 0, 31, {}, "register of operand 1; lui ignores it"},
    {"rd", 16, 5, 1, Kind::integer, 0, 31, {}, "register of the result"},
    {"imm", 0, 16, 1, Kind::integer, -32768, 32767, {}, "operand 2"},
};
inline constexpr Field k_load[] = {
    {"rs1", 21, 5, 1, Kind::integer, 0, 31, {}, "register of the base address"},
    {"rs2", 16, 5, 1, Kind::integer, 0, 31, {}, "register that is loaded"},
    {"offset", 0, 16, 1, Kind::integer, -32768, 32767, {}, "bytes added to the base"},
};
inline constexpr Field k_store[] = {
    {"rs1", 21, 5, 1, Kind::integer, 0, 31, {}, "register of the base address"},
    {"rs2", 16, 5, 1, Kind::integer, 0, 31, {}, "register that is stored"},
    {"offset", 0, 16, 1, Kind::integer, -32768, 32767, {}, "bytes added to the base"},
};
inline constexpr Field k_general_li[] = {
    {"rd", 21, 5, 1, Kind::integer, 0, 31, {}, "register of the result"},
    {"imm", 0, 21, 1, Kind::integer, 0, 2097151, {}, "the value"},
};
inline constexpr Field k_special_li[] = {
    {"rd", 21, 5, 1, Kind::enumeration, 0, 31, {&kSpecial}, "special register of the result"},
    {"imm", 0, 21, 1, Kind::integer, 0, 2097151, {}, "the value"},
};
inline constexpr Field k_assign[] = {
    {"rs1", 21, 5, 1, Kind::integer, 0, 31, {}, "the general register"},
    {"rs2", 16, 5, 1, Kind::enumeration, 0, 31, {&kSpecial}, "the special register"},
};
inline constexpr Field k_trans[] = {
    {"source_offset", 27, 1, 1, Kind::boolean, 0, 1, {}, "offset is added to the source address"},
    {"destination_offset", 26, 1, 1, Kind::boolean, 0, 1, {}, "offset is added to the destination address"},
    {"rs1", 21, 5, 1, Kind::integer, 0, 31, {}, "register of the source address"},
    {"rs2", 16, 5, 1, Kind::integer, 0, 31, {}, "register of the number of bytes"},
    {"rd", 11, 5, 1, Kind::integer, 0, 31, {}, "register of the destination address"},
    {"offset", 0, 11, 1, Kind::integer, 0, 2047, {}, "bytes"},
};
inline constexpr Field k_send[] = {
    {"sync", 26, 1, 1, Kind::integer, 0, 1, {}, "0: waits until the data has arrived; 1: goes on"},
    {"rs", 21, 5, 1, Kind::integer, 0, 31, {}, "register of the source address"},
    {"rd1", 16, 5, 1, Kind::integer, 0, 31, {}, "register of the number of the destination core"},
    {"rd2", 11, 5, 1, Kind::integer, 0, 31, {}, "register of the destination address"},
    {"reg_id", 6, 5, 1, Kind::integer, 0, 31, {}, "register of the message's id"},
    {"reg_len", 0, 5, 1, Kind::integer, 0, 31, {}, "register of the number of bytes"},
};
inline constexpr Field k_receive[] = {
    {"sync", 26, 1, 1, Kind::integer, 0, 1, {}, "0: waits until the data has arrived; 1: goes on"},
    {"rs1", 21, 5, 1, Kind::integer, 0, 31, {}, "register of the number of the source core"},
    {"rs2", 16, 5, 1, Kind::integer, 0, 31, {}, "register of the source address"},
    {"rd", 11, 5, 1, Kind::integer, 0, 31, {}, "register of the destination address"},
    {"reg_id", 6, 5, 1, Kind::integer, 0, 31, {}, "register of the message's id"},
    {"reg_len", 0, 5, 1, Kind::integer, 0, 31, {}, "register of the number of bytes"},
};
inline constexpr Field k_branch[] = {
    {"rs1", 21, 5, 1, Kind::integer, 0, 31, {}, "register of operand 1"},
    {"rs2", 16, 5, 1, Kind::integer, 0, 31, {}, "register of operand 2"},
    {"offset", 0, 16, 1, Kind::integer, -32768, 32767, {}, "instructions from this one to the target"},
};
inline constexpr Field k_jmp[] = {
    {"offset", 0, 26, 1, Kind::integer, -33554432, 33554431, {}, "instructions from this one to the target"},
};
inline constexpr Field k_wait[] = {
    {"rs_core", 21, 5, 1, Kind::integer, 0, 31, {}, "register of the number of the other core"},
    {"rs_id", 16, 5, 1, Kind::integer, 0, 31, {}, "register of the messages' id"},
};
inline constexpr Field k_barrier[] = {
    {"rs_id", 21, 5, 1, Kind::integer, 0, 31, {}, "register of the barrier's id"},
    {"rs_num", 16, 5, 1, Kind::integer, 0, 31, {}, "register of the number of cores"},
};
// clang-format on

}  // namespace detail

// clang-format off
inline constexpr Instruction kInstructions[] = {
    {"pim-compute", Opcode::pim_compute, detail::kTop4, 0x00000000, detail::k_pim_compute, "multiplies inputs by a row of weights and adds the products to the output registers"},
    {"pim-batch", Opcode::pim_batch, detail::kTop4, 0x10000000, detail::k_pim_batch, "makes the pim-compute behind it a batch of computes on consecutive rows"},
    {"pim-output", Opcode::pim_output, detail::kTop4, 0x20000000, detail::k_pim_output, "stores the output registers and clears them"},
    {"pim-transfer", Opcode::pim_transfer, detail::kTop4, 0x30000000, detail::k_pim_transfer, "packs the results that a mask selects"},
    {"simd-compute", Opcode::simd_compute, detail::kTop2, 0x40000000, detail::k_simd_compute, "computes on vectors of one to four inputs"},
    {"add", Opcode::add, detail::kScalar, 0x80000000, detail::k_two_registers, "sum"},
    {"sub", Opcode::sub, detail::kScalar, 0x80000001, detail::k_two_registers, "difference"},
    {"mul", Opcode::mul, detail::kScalar, 0x80000002, detail::k_two_registers, "low half of the product"},
    {"div", Opcode::div, detail::kScalar, 0x80000003, detail::k_two_registers, "quotient towards 0"},
    {"sll", Opcode::sll, detail::kScalar, 0x80000004, detail::k_two_registers, "shift to the left"},
    {"srl", Opcode::srl, detail::kScalar, 0x80000005, detail::k_two_registers, "logical shift to the right"},
    {"sra", Opcode::sra, detail::kScalar, 0x80000006, detail::k_two_registers, "arithmetic shift to the right"},
    {"mod", Opcode::mod, detail::kScalar, 0x80000007, detail::k_two_registers, "remainder of div"},
    {"addi", Opcode::addi, detail::kTop6, 0x90000000, detail::k_immediate, "sum of a register and an immediate"},
    {"muli", Opcode::muli, detail::kTop6, 0x94000000, detail::k_immediate, "product of a register and an immediate"},
    {"lui", Opcode::lui, detail::kTop6, 0x98000000, detail::k_immediate, "immediate times 65536"},
    {"load-local", Opcode::load_local, detail::kTop6, 0xa0000000, detail::k_load, "loads four bytes of a local memory"},
    {"store-local", Opcode::store_local, detail::kTop6, 0xa4000000, detail::k_store, "stores four bytes to a local memory"},
    {"load-global", Opcode::load_global, detail::kTop6, 0xa8000000, detail::k_load, "loads four bytes of DRAM"},
    {"store-global", Opcode::store_global, detail::kTop6, 0xac000000, detail::k_store, "stores four bytes to DRAM"},
    {"general-li", Opcode::general_li, detail::kTop6, 0xb0000000, detail::k_general_li, "writes a constant to a general register"},
    {"special-li", Opcode::special_li, detail::kTop6, 0xb4000000, detail::k_special_li, "writes a constant to a special register"},
    {"general-to-special", Opcode::general_to_special, detail::kTop6, 0xb8000000, detail::k_assign, "copies a general register to a special one"},
    {"special-to-general", Opcode::special_to_general, detail::kTop6, 0xbc000000, detail::k_assign, "copies a special register to a general one"},
    {"trans", Opcode::trans, detail::kTop4, 0xc0000000, detail::k_trans, "copies bytes between local memories, the array and DRAM"},
    {"send", Opcode::send, detail::kTop5, 0xd0000000, detail::k_send, "sends bytes to another core"},
    {"receive", Opcode::receive, detail::kTop5, 0xd8000000, detail::k_receive, "receives bytes from another core"},
    {"beq", Opcode::beq, detail::kTop6, 0xe0000000, detail::k_branch, "jumps if the operands are equal"},
    {"bne", Opcode::bne, detail::kTop6, 0xe4000000, detail::k_branch, "jumps if the operands differ"},
    {"bgt", Opcode::bgt, detail::kTop6, 0xe8000000, detail::k_branch, "jumps if operand 1 is greater, as signed numbers"},
    {"blt", Opcode::blt, detail::kTop6, 0xec000000, detail::k_branch, "jumps if operand 1 is less, as signed numbers"},
    {"jmp", Opcode::jmp, detail::kTop6, 0xf0000000, detail::k_jmp, "jumps"},
    {"wait", Opcode::wait, detail::kTop6, 0xf4000000, detail::k_wait, "waits until no message of a core and an id is open"},
    {"barrier", Opcode::barrier, detail::kTop6, 0xf8000000, detail::k_barrier, "waits until the given number of cores has arrived"},
};
// clang-format on

struct Traits {
  using Opcode = pim::Opcode;
  using Instruction = pim::Instruction;
  using MachineCode = pim::MachineCode;
  static constexpr const auto &kInstructions = pim::kInstructions;
  static constexpr bool kFiniteFloats = false;
  static constexpr std::span<const Field> opcode_fields(const Instruction &row) { return row.identity; }
  static constexpr std::uint32_t first_word(const Instruction &row) { return row.word; }
  static constexpr std::span<const Field> header(const Instruction & /*row*/) { return {}; }
};
using Set = InstructionSet<Traits>;
Traits traits_of(Opcode);

/// Set::find() in constant time.
[[nodiscard]] const Instruction *find_quickly(const MachineCode &code);

/// Checks what can be decided without registers: Set::check(), and the registers of a SIMD instruction's inputs. Error besides those of
/// Set::check(): field_out_of_range ("rs1" or "rs2") if the register behind it holds an input but does not exist.
[[nodiscard]] Status check(const MachineCode &code);

}  // namespace cox::isa::pim

extern template class cox::isa::InstructionSet<cox::isa::pim::Traits>;
