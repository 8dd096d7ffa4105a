// SPDX-License-Identifier: MIT
#include "tools/cube/page.h"

#include <sstream>

#include "coxswain/isa/cube/table.h"
#include "tools/isa_page/fields.h"

namespace cox::tools {
namespace {

using isa::Field;

constexpr unsigned kFirstFieldBit = 64;  ///< lower bits are opcode and flags, which the page describes once
constexpr unsigned kSlotBits = isa::cube::kSlotBytes * 8;

std::string bits_text(unsigned bit, unsigned width) {
  const std::string lowest = std::to_string(bit);
  return width == 1 ? "[" + lowest + "]" : "[" + std::to_string(bit + width - 1) + ":" + lowest + "]";
}

std::string reserved_text(const isa::cube::Instruction &instruction) {
  isa::cube::MachineCode taken{};
  for (const Field &field : instruction.fields) isa::insert_bits(taken, field.bit, field.width, ~std::uint32_t{0});
  std::string text;
  for (unsigned bit = kFirstFieldBit; bit < kSlotBits; ++bit) {
    if (isa::extract_bits(taken, bit, 1) != 0) continue;
    const unsigned first = bit;
    while (bit + 1 < kSlotBits && isa::extract_bits(taken, bit + 1, 1) == 0) ++bit;
    text += (text.empty() ? "" : ", ") + bits_text(first, bit - first + 1);
  }
  return text.empty() ? "none" : text;
}

void add_fields(std::ostringstream &out, std::span<const Field> fields) {
  out << "| field | bits | values | meaning |\n|---|---|---|---|\n";
  for (const Field &field : fields) {
    const bool one_value = field.kind == isa::Kind::integer && field.minimum == field.maximum;
    out << "| " << field.name << " | " << bits_text(field.bit, field.width) << " | "
        << (one_value ? std::to_string(field.minimum) : values_text(field)) << " | " << field.meaning << " |\n";
  }
}

/// Returns the pipe that executes the instruction. SET_FLAG and WAIT_FLAG run in the pipe that they name, BARRIER in none.
std::string pipe_text(const isa::cube::Instruction &instruction) {
  switch (instruction.opcode) {
    case isa::cube::Opcode::SET_FLAG:
    case isa::cube::Opcode::WAIT_FLAG: return "any";
    case isa::cube::Opcode::BARRIER: return "none";
    default: return isa::cube::detail::kPipe.find(static_cast<std::int64_t>(instruction.pipe))->name;
  }
}

std::string fields_text(const isa::cube::Instruction &instruction) {
  std::ostringstream out;
  out << "Opcode " << static_cast<int>(instruction.opcode) << ", pipe " << pipe_text(instruction) << ": " << instruction.meaning << ".\n\n";
  add_fields(out, instruction.fields);
  out << "\nReserved: " << reserved_text(instruction) << ".\n";
  return out.str();
}

std::string header_text() {
  std::ostringstream out;
  add_fields(out, isa::cube::kHeaderFields);
  return out.str();
}

std::string cube_opcodes_text() {
  std::ostringstream out;
  out << "| instruction | opcode | pipe | what |\n|---|---|---|---|\n";
  for (const isa::cube::Instruction &instruction : isa::cube::kInstructions) {
    out << "| [" << instruction.name << "](#";
    for (const char *c = instruction.name; *c != '\0'; ++c) out << static_cast<char>(*c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
    out << ") | " << static_cast<int>(instruction.opcode) << " | " << pipe_text(instruction) << " | " << instruction.meaning << " |\n";
  }
  return out.str();
}

}  // namespace

std::string cube_page(const std::string &prose) {
  std::string page = prose;
  bool complete = replace_mark(page, "opcodes", cube_opcodes_text()) && replace_mark(page, "fields of every slot", header_text()) &&
                  replace_mark(page, "enumerations", enumerations_table(isa::cube::kInstructions));
  for (const isa::cube::Instruction &instruction : isa::cube::kInstructions) {
    complete = complete && replace_mark(page, std::string("fields of ") + instruction.name, fields_text(instruction));
  }
  if (!complete) return {};
  return "<!-- Generated from docs/isa/cube.prose.md and isa/cube/table.h by tools/isa_page: edit those, then build the target isa_page. "
         "-->\n" +
         page;
}

}  // namespace cox::tools
