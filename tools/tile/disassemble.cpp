// SPDX-License-Identifier: MIT
#include "tools/tile/disassemble.h"

#include <charconv>

#include "coxswain/isa/tile/encode.h"
#include "coxswain/isa/tile/table.h"
#include "tools/file/error.h"
#include "tools/tile/assemble.h"
#include "tools/tile/message.h"
#include "tools/tile/stream.h"

namespace cox::task {
namespace {

using isa::Field;
using isa::Kind;
namespace tile = isa::tile;

std::string quoted(std::string_view text) { return std::string("\"").append(text).append("\""); }

/// Appends one more element of a list.
void append(std::string &list, const std::string &element) {
  if (list.back() != '[') list += ", ";
  list += element;
}

std::string float_text(float value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  std::string text(buffer, error == std::errc{} ? end : buffer);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";  // a JSON reader must not take -0 for an integer
  return text;
}

std::string element_text(const tile::MachineCode &code, const Field &field, unsigned element) {
  if (field.kind == Kind::floating_point) return float_text(isa::read_float(code, field, element));
  const std::int64_t value = isa::read_integer(code, field, element);
  if (field.kind == Kind::boolean) return value != 0 ? "true" : "false";
  if (field.kind == Kind::enumeration) {
    if (const isa::EnumValue *entry = field.type_of(element)->find(value)) return quoted(entry->name);
  }
  return std::to_string(value);
}

std::string field_text(const tile::MachineCode &code, const Field &field) {
  if (field.count == 1) return element_text(code, field, 0);
  std::string text = "[";
  for (unsigned element = 0; element < field.count; ++element) append(text, element_text(code, field, element));
  return text + "]";
}

std::string classes_text(std::uint32_t classes) {
  std::string text = "[";
  for (unsigned c = 0; c < tile::kClasses; ++c) {
    if ((classes >> c & 1U) != 0) append(text, quoted(tile::kClassNames[c]));
  }
  return text + "]";
}

std::string list_text(const std::vector<std::int32_t> &numbers) {
  std::string text = "[";
  for (const std::int32_t number : numbers) append(text, std::to_string(number));
  return text + "]";
}

std::string mapping_text(const Mapping &mapping, const tile::MachineCode &code, bool with_images) {
  std::string text = "{";
  const auto add = [&text](const char *name, const std::string &value) {
    if (text.size() > 1) text += ", ";
    text.append(quoted(name)).append(": ").append(value);
  };
  add("slyr", std::to_string(mapping.slyr));
  add("clyr", list_text(mapping.clyr));
  add("s_flyr", std::to_string(mapping.s_flyr));
  add("c_flyr", list_text(mapping.c_flyr));
  add("wkl", std::to_string(mapping.wkl));
  add("tile", std::to_string(mapping.tile));
  if (with_images) add("tiles", std::to_string(tile::images_of(code)));
  if (const unsigned core = tile::core_of(code); core != 0) add("core", std::to_string(core));
  return text + "}";
}

/// Returns true if the field is optional and all of its elements are 0. The disassembler does not print such a field.
bool is_left_out(const tile::MachineCode &code, const Field &field) {
  if (!field.optional) return false;
  for (unsigned element = 0; element < field.count; ++element) {
    if (isa::extract_bits(code, field.bit_of(element), field.width) != 0) return false;
  }
  return true;
}

/// Throws FileError if the machine code has something that the text form cannot express.
void check_printable(const Instruction &instruction, std::size_t index) {
  const Status status = tile::check(instruction.code);
  if (!status)
    throw tools::FileError(instruction_name(instruction, static_cast<std::int32_t>(index)) + ": " + describe(status), status.code());
}

std::string line_of(const Instruction &instruction, bool with_images) {
  const tile::Instruction &entry = *tile::find_instruction(tile::opcode_of(instruction.code));
  std::string parameters;
  const auto add = [&parameters](std::string_view name, const std::string &value) {
    if (!parameters.empty()) parameters += ", ";
    parameters.append(quoted(name)).append(": ").append(value);
  };
  for (const Field &field : entry.fields) {
    if (!is_left_out(instruction.code, field)) add(field.name, field_text(instruction.code, field));
  }
  if (!entry.configuration) {
    add("Prev_Insts", classes_text(tile::previous_of(instruction.code)));
    add("Next_Insts", classes_text(tile::next_of(instruction.code)));
  }
  std::string line = "[";
  line.append(quoted(entry.name))
      .append(", ")
      .append(mapping_text(instruction.mapping, instruction.code, with_images))
      .append(", {")
      .append(parameters)
      .append("}]");
  return line;
}

bool has_batch(const Instruction &instruction) {
  return tile::takes_batch(tile::opcode_of(instruction.code)) && tile::images_of(instruction.code) > 1;
}

}  // namespace

std::string disassemble(const Instruction &instruction) { return line_of(instruction, has_batch(instruction)); }

std::string write_stream(std::span<const Instruction> instructions) {
  std::string text;
  std::vector<Instruction> again;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    check_printable(instructions[i], i);
    again.push_back(assemble_line(disassemble(instructions[i])));
  }
  static_cast<void>(set_batches(again));
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    // set_batches() has counted the images of each batch. If the machine code has another number, the line states the machine code's
    // number. This happens with old task images, in which the number is always 1.
    const bool other = tile::images_of(again[i].code) != tile::images_of(instructions[i].code);
    if (other) static_cast<void>(tile::set_images(again[i].code, tile::images_of(instructions[i].code)));
    text += line_of(instructions[i], other || has_batch(instructions[i]));
    text += '\n';
  }
  for (std::size_t i = 0; i < again.size(); ++i) {
    if (again[i].same_instruction(instructions[i])) continue;
    throw tools::FileError(
        instruction_name(instructions[i], static_cast<std::int32_t>(i)) +
        ": holds what a stream cannot say: a context, a completion flag, or an index within a batch that the mapping part does not give");
  }
  return text;
}

}  // namespace cox::task
