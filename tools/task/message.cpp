// SPDX-License-Identifier: MIT
#include "tools/task/message.h"

#include "isa/tile/table.h"

namespace cox::task {

std::string describe(const Status &status) {
  std::string text = error_name(status.code());
  const std::string what = status.what();
  switch (status.code()) {
    case ErrorCode::missing_configuration: return text + ": no " + what + " before it";
    case ErrorCode::unsupported:
      text.append(": ").append(what);
      return status.value() != 0 ? text.append(" ").append(std::to_string(status.value())) : text;
    case ErrorCode::reserved_bits: return text + ": " + what + ": bit " + std::to_string(status.index());
    case ErrorCode::no_task_start:
    case ErrorCode::no_task_end: return text;
    default: break;
  }
  if (!what.empty()) text += ": " + what;
  if (status.value() != 0 || status.limit() != 0) {
    text += ": " + std::to_string(status.value()) + ", the limit is " + std::to_string(status.limit());
  }
  return text;
}

std::string instruction_name(const Instruction &instruction, std::int32_t index) {
  const isa::tile::Instruction *entry = isa::tile::find_instruction(isa::tile::opcode_of(instruction.code));
  // `cox dis` prints an image one instruction a line.
  const std::int64_t line = instruction.line > 0 ? instruction.line : std::int64_t{index} + 1;
  return std::string("instruction ") + std::to_string(index) + " (line " + std::to_string(line) + ", " +
         (entry == nullptr ? "unknown" : entry->name) + ")";
}

}  // namespace cox::task
