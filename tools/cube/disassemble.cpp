// SPDX-License-Identifier: MIT
#include "tools/cube/disassemble.h"

#include "coxswain/isa/cube/encode.h"
#include "tools/assembly/value.h"
#include "tools/cube/fields.h"
#include "tools/cube/flags_text.h"
#include "tools/cube/refusal.h"
#include "tools/file/error.h"

namespace cox::tools::cube {
namespace {

using isa::Field;
using isa::cube::Instruction;
using isa::cube::kSlotBytes;
using isa::cube::MachineCode;

MachineCode code_at(std::span<const std::uint8_t> stream, std::size_t at) {
  MachineCode code{};
  for (std::size_t byte = 0; byte < kSlotBytes; ++byte) {
    code[byte / 4] |= static_cast<std::uint32_t>(std::uint32_t{stream[at + byte]} << byte % 4 * 8);
  }
  return code;
}

std::string line_text(const MachineCode &code, const Instruction &instruction) {
  std::string text = instruction.name;
  const auto add = [&](const Field &field, const std::string &value) { text.append(" ").append(field.name).append("=").append(value); };
  for (const Field &field : instruction.fields) {
    const std::int64_t value = isa::read_integer(code, field);
    if (value == 0 && field.kind != isa::Kind::enumeration) continue;
    add(field, is_pipes(field) ? pipes_text(static_cast<std::uint32_t>(value)) : assembly::value_text(field, value));
  }
  for (const Field &field : isa::cube::kHeaderFields) {
    const std::uint32_t mask = isa::extract_bits(code, field.bit, field.width);
    if (mask != 0) add(field, flags_text(isa::cube::pipe_of(code), mask));
  }
  return text;
}

}  // namespace

std::string disassemble(std::span<const std::uint8_t> stream, const std::string &file) {
  if (stream.empty()) throw FileError(file + ": no instruction in it", ErrorCode::stream_truncated);
  std::string text;
  for (std::size_t number = 0; number * kSlotBytes < stream.size(); ++number) {
    const std::size_t at = number * kSlotBytes, left = stream.size() - at;
    const auto fail = [&](const Instruction *instruction, const Status &status) {
      throw FileError(file + ": " + refusal_text(number, instruction, status), status.code());
    };
    if (left < kSlotBytes) {
      fail(nullptr, Status(ErrorCode::stream_truncated, "stream", -1, static_cast<std::int64_t>(left), kSlotBytes));
    }
    const MachineCode code = code_at(stream, at);
    const Instruction *instruction = isa::cube::find_instruction(code[0]);
    if (const Status status = isa::cube::check(code); !status) fail(instruction, status);
    text.append(line_text(code, *instruction)).append("  # ").append(std::to_string(number)).append("\n");
  }
  return text;
}

}  // namespace cox::tools::cube
