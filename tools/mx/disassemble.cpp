// SPDX-License-Identifier: MIT
#include "tools/mx/disassemble.h"

#include "isa/mx/table.h"
#include "tools/assembly/value.h"
#include "tools/file/error.h"
#include "tools/mx/bfloat16_text.h"
#include "tools/mx/refusal.h"

namespace cox::tools::mx {
namespace {

using isa::Field;
using isa::Kind;

std::string value_text(const isa::mx::MachineCode &code, const Field &field) {
  const std::int64_t value = isa::read_integer(code, field);
  return field.kind == Kind::bfloat16 ? bfloat16_text(static_cast<std::uint16_t>(value)) : assembly::value_text(field, value);
}

}  // namespace

std::string disassemble(std::span<const std::uint8_t> stream, const std::string &file) {
  if (stream.empty()) throw FileError(file + ": no instruction in it", ErrorCode::stream_truncated);
  std::string text;
  for (std::size_t at = 0; at < stream.size();) {
    const auto rest = std::as_bytes(stream.subspan(at));
    const auto fail = [&](const isa::mx::Instruction *instruction, const Status &status) {
      throw FileError(file + ": byte " + std::to_string(at) + ": " + refusal_text(instruction, status), status.code());
    };
    const Result<isa::mx::Fetched> fetched = isa::mx::fetch(rest);
    if (!fetched) fail(isa::mx::find_instruction(std::string_view(fetched.status().what())), fetched.status());
    const isa::mx::Instruction &instruction = *fetched.value().instruction;
    if (const Status status = isa::mx::check(fetched.value().code); !status) fail(&instruction, status);
    text += instruction.name;
    for (const Field &field : instruction.fields)
      text.append(" ").append(field.name).append("=").append(value_text(fetched.value().code, field));
    text.append("  # byte ").append(std::to_string(at)).append("\n");
    at += instruction.bytes;
  }
  return text;
}

}  // namespace cox::tools::mx
