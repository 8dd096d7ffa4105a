// SPDX-License-Identifier: MIT
// The name at the beginning of a line.
#pragma once

#include "tools/assembly/line.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools::assembly {

/// Returns the instruction that the line's first word names. From then on, errors of the line give the instruction's name. Fails the line
/// if the set has no such instruction.
template <typename Set>
[[nodiscard]] const typename Set::Instruction &instruction_of(Line &line) {
  using Instruction = typename Set::Instruction;
  const Word &name = line.words().front();
  const Instruction *instruction = Set::find(name.text);
  if (instruction == nullptr) {
    line.fail(name.column, quoted(name.text) + " is not an instruction" + did_you_mean(name.text, Set::instructions(), &Instruction::name));
  }
  line.set_instruction(instruction->name);
  return *instruction;
}

}  // namespace cox::tools::assembly
