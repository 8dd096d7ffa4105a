// SPDX-License-Identifier: MIT
// The form of PIM instructions in a core's code (docs/isa/pim.md): one little-endian 32-bit word each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/machine_code.h"

namespace cox::isa::pim {

using MachineCode = Words32<1>;
inline constexpr std::uint32_t kInstructionBytes = sizeof(MachineCode);

/// The specification's names, with `_` instead of `-`.
enum class Opcode : std::uint8_t {
  pim_compute,
  pim_batch,
  pim_output,
  pim_transfer,
  simd_compute,
  add,
  sub,
  mul,
  div,
  sll,
  srl,
  sra,
  mod,
  addi,
  muli,
  lui,
  load_local,
  store_local,
  load_global,
  store_global,
  general_li,
  special_li,
  general_to_special,
  special_to_general,
  trans,
  send,
  receive,
  beq,
  bne,
  bgt,
  blt,
  jmp,
  wait,
  barrier,
};

inline constexpr unsigned kRegisters = 32;  ///< general registers, and numbers of special registers

/// The special registers that exist. All others are illegal.
enum class Special : std::uint8_t {
  input_bit_width = 0,         ///< bits of an input of pim-compute
  output_bit_width = 1,        ///< bits of a result of pim-output and pim-transfer
  weight_bit_width = 2,        ///< bits of a weight in the array
  group_size = 3,              ///< macros in a group
  activation_group_num = 4,    ///< groups that compute
  activation_column_num = 5,   ///< columns of each group that compute
  group_input = 6,             ///< step of the groups' input addresses in bytes, or address of a table of offsets
  value_sparse_mask = 7,       ///< address of the mask
  bit_sparse_meta = 8,         ///< address of the meta data
  simd_input1_bit_width = 16,  ///< bits of an element of a SIMD instruction's inputs and output
  simd_input2_bit_width = 17,
  simd_input3_bit_width = 18,
  simd_input4_bit_width = 19,
  simd_output_bit_width = 20,
};
[[nodiscard]] constexpr bool is_special(unsigned number) { return number <= 8 || (number >= 16 && number <= 20); }

inline constexpr unsigned kMostSimdInputs = 4;
inline constexpr unsigned kMostWidth = 32;  ///< bits; widths are 1, 2, 4, 8, 16 and 32
inline constexpr unsigned kMostCores = 64;
/// Largest number of instructions in the code of one core. A fault's position has 18 bits for the instruction and 6 for the core.
inline constexpr std::uint32_t kMostInstructions = 1U << 18;

}  // namespace cox::isa::pim
