// SPDX-License-Identifier: MIT
#include "tools/mx/assemble.h"

#include <span>

#include "isa/mx/table.h"
#include "tools/assembly/line.h"
#include "tools/assembly/value.h"
#include "tools/file/error.h"
#include "tools/mx/bfloat16_text.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools::mx {
namespace {

using assembly::Line;
using assembly::Setting;
using assembly::Word;
using isa::Field;
using isa::Kind;

std::int64_t read_bfloat16_value(const Line &line, const Field &field, const Word &value) {
  constexpr std::uint16_t kExponent = 0x7F80;
  const std::optional<Bfloat16Decimal> read = read_bfloat16(value.text);
  if (!read.has_value()) line.fail(field, value.column, assembly::quoted(value.text) + " is not a number");
  if ((read->bits & kExponent) == kExponent) {
    line.fail(field, value.column, std::string(value.text) + " is out of range of BF16 (-3.39e+38 to 3.39e+38)");
  }
  if (!read->stated) {
    line.fail(field, value.column, std::string(value.text) + " is no BF16, the nearest is " + bfloat16_text(read->bits));
  }
  return read->bits;
}

std::int64_t value_of(const Line &line, const Field &field, const Word &value) {
  if (field.kind != Kind::bfloat16 || value.text.empty() || assembly::is_hexadecimal(value.text)) {
    return assembly::read_value(line, field, value);
  }
  return read_bfloat16_value(line, field, value);
}

const isa::mx::Instruction &instruction_of(Line &line) {
  const Word &name = line.words().front();
  const isa::mx::Instruction *instruction = isa::mx::find_instruction(name.text);
  if (instruction == nullptr)
    line.fail(name.column, assembly::quoted(name.text) + " is not an instruction" +
                               did_you_mean(name.text, isa::mx::kInstructions, &isa::mx::Instruction::name));
  line.set_instruction(instruction->name);
  return *instruction;
}

isa::mx::MachineCode assemble_line(const Line &line, const isa::mx::Instruction &instruction) {
  isa::mx::MachineCode code = isa::mx::begin(instruction.opcode);
  std::uint32_t given = 0;  // a bit a field
  for (const Word &word : std::span(line.words()).subspan(1)) {
    const Setting setting = assembly::setting_of(line, word);
    const Field *field = isa::mx::find_field(instruction, setting.field.text);
    if (field == nullptr) {
      line.fail(word.column, std::string(setting.field.text) + ": no such field in this instruction" +
                                 did_you_mean(setting.field.text, instruction.fields, &Field::name));
    }
    const std::uint32_t bit = 1U << (field - instruction.fields.data());
    if ((given & bit) != 0) line.fail(*field, word.column, "is given twice");
    given |= bit;
    if (!isa::mx::set(code, *field, value_of(line, *field, setting.value))) {
      line.fail(*field, setting.value.column, std::string(setting.value.text) + " is out of range (" + assembly::range_text(*field) + ")");
    }
  }
  for (std::size_t i = 0; i < instruction.fields.size(); ++i) {
    if ((given >> i & 1U) == 0) line.fail(instruction.fields[i], line.words().front().column, "missing");
  }
  return code;
}

}  // namespace

std::vector<std::uint8_t> assemble(std::string_view text, const std::string &file, std::size_t most_bytes) {
  std::vector<std::uint8_t> stream;
  for (assembly::Lines lines(text); lines.next();) {
    Line line(file, lines.number(), lines.words());
    const isa::mx::Instruction &instruction = instruction_of(line);
    const isa::mx::MachineCode code = assemble_line(line, instruction);
    for (std::size_t byte = 0; byte < instruction.bytes; ++byte) {
      stream.push_back(static_cast<std::uint8_t>(code[byte / 4] >> byte % 4 * 8));
    }
    if (stream.size() > most_bytes) {
      throw FileError(file + ":" + std::to_string(lines.number()) + ":1: the stream is longer than an engine takes (" +
                      std::to_string(most_bytes) + " bytes)");
    }
  }
  if (stream.empty()) throw FileError(file + ": no instruction in it");
  return stream;
}

}  // namespace cox::tools::mx
