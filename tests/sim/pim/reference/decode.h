// SPDX-License-Identifier: MIT
// Instructions taken apart by the bits of the specification.
#pragma once

#include <cstdint>

#include "tests/sim/pim/reference/state.h"

namespace cox::model::pim::oracle {

/// An instruction. Fields that it does not have are 0. Names are those of the specification; register fields hold the register's number.
struct Decoded {
  Opcode opcode{};
  unsigned rs1 = 0, rs2 = 0, rs3 = 0, rs4 = 0, rd = 0;
  bool value_sparse = false, bit_sparse = false, group = false, group_input_mode = false;  // pim-compute
  bool mask_mode = false, meta_mode = false, input_mode = false;                           // pim-batch
  bool outsum_move = false, outsum = false;                                                // pim-output
  unsigned inputs = 0, simd = 0;                                                           // simd-compute: number of inputs, operation
  std::int64_t immediate = 0;                                          // imm or offset, extended as the instruction says
  bool source_offset = false, destination_offset = false;              // trans
  bool asynchronous = false;                                           // send, receive
  unsigned core = 0, source = 0, destination = 0, id = 0, length = 0;  // send, receive: registers
};

/// Throws Stop: unknown_instruction, reserved_bits, or field_out_of_range for a register that does not exist.
Decoded decode(std::uint32_t word);

}  // namespace cox::model::pim::oracle
