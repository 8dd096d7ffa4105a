// SPDX-License-Identifier: MIT
#include "tools/cube/assemble.h"

#include <span>

#include "coxswain/isa/cube/encode.h"
#include "tools/assembly/instruction_name.h"
#include "tools/assembly/line.h"
#include "tools/assembly/value.h"
#include "tools/cube/fields.h"
#include "tools/cube/flags_text.h"
#include "tools/file/error.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools::cube {
namespace {

using assembly::Line;
using assembly::Setting;
using assembly::Word;
using isa::Field;
using isa::cube::Instruction;
using isa::cube::MachineCode;

/// Returns false if the value fits into the field's bits but is out of the field's range. This is no error if the other fields make the
/// unit ignore this field, so the caller decides after it has read all fields.
bool set_field(const Line &line, MachineCode &code, const Field &field, const Word &value) {
  const std::int64_t number = is_flags(field)   ? read_flags(line, field, value, isa::cube::pipe_of(code))
                              : is_pipes(field) ? read_pipes(line, field, value)
                                                : assembly::read_value(line, field, value);
  if (isa::cube::set(code, field, number)) return true;
  if (number < 0 || number >> field.width != 0) assembly::fail_out_of_range(line, field, value);
  isa::insert_bits(code, field.bit, field.width, static_cast<std::uint32_t>(number));
  return false;
}

MachineCode assemble_line(const Line &line, const Instruction &instruction) {
  MachineCode code = isa::cube::begin(instruction.opcode);
  const std::span words = std::span(line.words()).subspan(1);
  std::vector<const Field *> given;
  const Field *out_of_range = nullptr;
  Word its_value;
  for (const Word &word : words) {
    const Setting setting = assembly::setting_of(line, word);
    const Field *field = isa::cube::find_field(instruction, setting.field.text);
    if (field == nullptr || (is_flags(*field) && !has_flags(instruction))) {
      line.fail(word.column, std::string(setting.field.text) + ": no such field in this instruction" +
                                 did_you_mean(setting.field.text, instruction.fields, &Field::name));
    }
    for (const Field *before : given) {
      if (before == field) line.fail(*field, word.column, "is given twice");
    }
    given.push_back(field);
    // The encoding of flags depends on the instruction's pipe, which another field may give. So flags are read last.
    if (is_flags(*field) || set_field(line, code, *field, setting.value) || out_of_range != nullptr) continue;
    out_of_range = field;
    its_value = setting.value;
  }
  if (out_of_range != nullptr && !isa::cube::Traits::is_ignored(instruction, code, *out_of_range)) {
    assembly::fail_out_of_range(line, *out_of_range, its_value);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_flags(*given[i])) (void)set_field(line, code, *given[i], assembly::setting_of(line, words[i]).value);
  }
  for (const Field &field : instruction.fields) {
    const bool is_number = field.kind == isa::Kind::integer;
    if (is_number && field.minimum > isa::read_integer(code, field)) line.fail(field, line.words().front().column, "missing");
  }
  return code;
}

}  // namespace

std::vector<std::uint8_t> assemble(std::string_view text, const std::string &file, std::size_t most_bytes) {
  std::vector<std::uint8_t> stream;
  for (assembly::Lines lines(text); lines.next();) {
    Line line(file, lines.number(), lines.words());
    const Instruction &instruction = assembly::instruction_of<isa::cube::Set>(line);
    for (const std::uint32_t word : assemble_line(line, instruction)) {
      for (unsigned shift = 0; shift < 32; shift += 8) stream.push_back(static_cast<std::uint8_t>(word >> shift));
    }
    if (stream.size() > most_bytes) line.fail(1, "the stream is longer than an engine takes (" + std::to_string(most_bytes) + " bytes)");
  }
  if (stream.empty()) throw FileError(file + ": no instruction in it");
  return stream;
}

}  // namespace cox::tools::cube
