// SPDX-License-Identifier: MIT
#include "tools/cube/refusal.h"

#include "tools/tile/message.h"

namespace cox::tools::cube {
namespace {

std::string reason(const Status &status) {
  const std::string name = error_name(status.code());
  const std::string value = std::to_string(status.value()), limit = std::to_string(status.limit());
  switch (status.code()) {
    case ErrorCode::stream_truncated: return name + ": " + value + " bytes are left of " + limit;
    case ErrorCode::reserved_bits: return name + ": bit " + std::to_string(status.index()) + " must be 0";
    case ErrorCode::address_outside_buffer:
      return name + ": " + status.what() + ": the access ends at byte " + value + ", the buffer at " + limit;
    default: return task::describe(status);
  }
}

}  // namespace

std::string refusal_text(std::size_t number, const isa::cube::Instruction *instruction, const Status &status) {
  std::string text = "instruction " + std::to_string(number);
  if (instruction != nullptr) text.append(" (").append(instruction->name).append(")");
  return text + ": " + reason(status);
}

}  // namespace cox::tools::cube
