// SPDX-License-Identifier: MIT
// One PIM instruction as text, in the form that the assembler takes (docs/pim.md, Assembler).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "coxswain/isa/pim/table.h"

namespace cox::tools::pim {

/// Returns the operand for the target of a jump, for example `L12`. `distance` counts instructions from the jump.
using TargetText = std::function<std::string(std::int64_t distance)>;

/// Returns for example `add r1, r2, r3`. Without `target` a target is `.+4` or `.-3`. A word that is no instruction becomes `.word` with
/// the reason as a comment.
[[nodiscard]] std::string instruction_text(const isa::pim::MachineCode &code, const TargetText &target = nullptr);

/// Returns the reason why the engine refuses an instruction, without a position, for example `reserved_bits: add: bit 3 must be 0`.
[[nodiscard]] std::string refusal_text(const isa::pim::Instruction *instruction, const Status &status);

}  // namespace cox::tools::pim
