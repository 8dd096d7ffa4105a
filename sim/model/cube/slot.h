// SPDX-License-Identifier: MIT
// A slot of the matrix unit on its way from the dispatcher through its pipe (docs/model.md, The matrix unit).
#pragma once

#include <cstdint>

#include "coxswain/isa/cube/encode.h"
#include "coxswain/isa/cube/operation.h"
#include "sim/model/cube/banks.h"
#include "sim/model/geometry.h"

namespace cox::model::cube {

struct Slot {
  // Set when the dispatcher admits the slot.
  isa::cube::MachineCode code{};
  const isa::cube::Instruction *instruction = nullptr;  ///< nullptr: no known instruction was fetched
  isa::cube::Operation operation;
  isa::cube::Pipe pipe = isa::cube::Pipe::MTE2;
  isa::cube::Flags flags;
  BankSet banks = 0;
  std::uint32_t stream = 0;    ///< running index of its stream's descriptor
  std::uint32_t offset = 0;    ///< byte offset in its stream
  std::uint64_t sequence = 0;  ///< position in program order
  Cycle work = 0;              ///< cycles in its pipe after its issue; its transfer runs at the same time
  std::uint64_t dram_bytes = 0;

  // Set when the slot becomes ready and when it starts.
  Cycle ready = kNever;  ///< time from which only busy banks (banks.h) delay the start
  Cycle start = 0;
  Cycle stalled = 0;

  [[nodiscard]] bool is_barrier() const { return instruction->opcode == isa::cube::Opcode::BARRIER; }
};

}  // namespace cox::model::cube
