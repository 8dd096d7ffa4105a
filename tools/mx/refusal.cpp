// SPDX-License-Identifier: MIT
#include "tools/mx/refusal.h"

#include "coxswain/isa/mx/published_form.h"
#include "tools/assembly/plain_stream.h"

namespace cox::tools::mx {

std::string refusal_text(const isa::mx::Instruction *instruction, const Status &status) {
  if (status.code() != ErrorCode::unknown_instruction) return assembly::plain_refusal(instruction, status);
  const std::string text = std::string(error_name(status.code())) + ": ";
  if (status.what() == isa::mx::kPublishedForm)
    return text + "an " + isa::mx::kPublishedForm + ", which this instruction set does not have: opcode 0b1001 is CONVACT, and " +
           "ELADD and ELMUL have 16 bytes with opcode 0b1011 (docs/isa/mx.md)";
  return text + "no instruction has " + std::to_string(status.value()) + " in bits [5:0]";
}

}  // namespace cox::tools::mx
