// SPDX-License-Identifier: MIT
// Makes slots of the matrix unit from any bytes. The unit can run most of these slots.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/isa/cube/encode.h"
#include "coxswain/isa/cube/operation.h"

namespace cox::fuzz {

/// Makes the slots of a stream one after another.
class CubeSlots {
 public:
  /// Addresses in DRAM will lie in the window or a little beyond it.
  explicit CubeSlots(const isa::Window &window) : window_(window) {}

  /// Makes a slot that passes check() from `bytes`. Opcode, fields and flags are taken from their bits and limited to their ranges.
  /// No instruction uses bits 56 to 63 of `bytes`. They choose whether shape() also limits sizes to 40, changes fields that resolve() would
  /// refuse, and removes waits for flags that are not set.
  [[nodiscard]] isa::cube::MachineCode shape(const isa::cube::MachineCode &bytes);

 private:
  [[nodiscard]] isa::cube::MachineCode in_range(const isa::cube::MachineCode &bytes, isa::cube::Opcode opcode, bool small) const;
  void place_in_window(isa::cube::MachineCode &code, const isa::cube::Instruction &instruction) const;
  static bool mend(isa::cube::MachineCode &code, const Status &refusal);
  void keep_flags_that_match(isa::cube::MachineCode &code);

  isa::Window window_;
  isa::cube::Configuration configuration_;
  std::array<int, isa::cube::kPipes * isa::cube::kPipes * isa::cube::kEvents> ahead_{};  ///< flags that are set and not yet awaited
};

}  // namespace cox::fuzz
