// SPDX-License-Identifier: MIT
// Any bytes as slots of the matrix unit: most of them such that it runs them.
#pragma once

#include <array>
#include <cstdint>

#include "isa/cube/encode.h"
#include "isa/cube/operation.h"

namespace cox::fuzz {

/// Makes one slot after another of a stream.
class CubeSlots {
 public:
  /// Addresses in DRAM fall into the window, and a little past it.
  explicit CubeSlots(const isa::Window &window) : window_(window) {}

  /// A slot that checks, of `bytes`: opcode, fields and flags come from where they would be, brought into their ranges. Bits 56 to 63,
  /// which no instruction has, say how far it is mended: sizes small, fields that resolve() refuses, waits without a set.
  [[nodiscard]] isa::cube::MachineCode shape(const isa::cube::MachineCode &bytes);

 private:
  [[nodiscard]] isa::cube::MachineCode in_range(const isa::cube::MachineCode &bytes, isa::cube::Opcode opcode, bool small) const;
  void place_in_window(isa::cube::MachineCode &code, const isa::cube::Instruction &instruction) const;
  static bool mend(isa::cube::MachineCode &code, const Status &refusal);
  void keep_flags_that_match(isa::cube::MachineCode &code);

  isa::Window window_;
  isa::cube::Configuration configuration_;
  std::array<int, isa::cube::kPipes * isa::cube::kPipes * isa::cube::kEvents> ahead_{};  ///< flags set and not waited for
};

}  // namespace cox::fuzz
