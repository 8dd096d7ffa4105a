// SPDX-License-Identifier: MIT
#include "tools/mx/refusal.h"

#include "isa/mx/published_form.h"

namespace cox::tools::mx {

std::string refusal_text(const isa::mx::Instruction *instruction, const Status &status) {
  std::string text = error_name(status.code());
  text += ": ";
  if (instruction != nullptr) text.append(instruction->name).append(": ");
  switch (status.code()) {
    case ErrorCode::unknown_instruction:
      if (status.what() == isa::mx::kPublishedForm)
        return text + "an " + isa::mx::kPublishedForm + ", which this instruction set does not have: opcode 0b1001 is CONVACT, and " +
               "ELADD and ELMUL have 16 bytes with opcode 0b1011 (docs/isa/mx.md)";
      return text + "no instruction has " + std::to_string(status.value()) + " in bits [5:0]";
    case ErrorCode::stream_truncated: return text + std::to_string(status.value()) + " bytes are left of " + std::to_string(status.limit());
    case ErrorCode::reserved_bits: return text + "bit " + std::to_string(status.index()) + " must be 0";
    default: return text + status.what() + ": " + std::to_string(status.value()) + ", the limit is " + std::to_string(status.limit());
  }
}

}  // namespace cox::tools::mx
