// SPDX-License-Identifier: MIT
#include "tools/assembly/refusal.h"

namespace cox::tools::assembly {

std::string refusal_text(std::string_view instruction, const Status &status) {
  std::string text = error_name(status.code());
  text += ": ";
  if (!instruction.empty()) text.append(instruction).append(": ");
  switch (status.code()) {
    case ErrorCode::unknown_instruction: return text + "no instruction has opcode bits " + std::to_string(status.value());
    case ErrorCode::unsupported: return text + "the engine does not execute it";
    case ErrorCode::stream_truncated: return text + std::to_string(status.value()) + " bytes are left of " + std::to_string(status.limit());
    case ErrorCode::reserved_bits: return text + "bit " + std::to_string(status.index()) + " must be 0";
    default: return text + status.what() + ": " + std::to_string(status.value()) + ", the limit is " + std::to_string(status.limit());
  }
}

}  // namespace cox::tools::assembly
