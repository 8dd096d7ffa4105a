// SPDX-License-Identifier: MIT
#include "tools/mx/page.h"

#include <sstream>

#include "coxswain/isa/mx/table.h"
#include "tools/isa_page/fields.h"

namespace cox::tools {
namespace {

using isa::Field;

constexpr unsigned kBlockBits = 64;

/// Returns for example `block 2 [31:8]`; bits are numbered within their block.
std::string place_text(unsigned bit, unsigned width) {
  std::ostringstream text;
  const unsigned first = bit % kBlockBits;
  text << "block " << bit / kBlockBits + 1 << " [" << first + width - 1 << ':' << first << ']';
  return text.str();
}

std::string binary(unsigned value, unsigned width) {
  std::string text = "0b";
  for (unsigned bit = width; bit-- > 0;) text += (value >> bit & 1U) != 0 ? '1' : '0';
  return text;
}

/// Returns the bits that belong to no field, as ranges. Each range lies within one 64-bit block of the machine code.
std::string reserved_text(const isa::mx::Instruction &instruction) {
  isa::mx::MachineCode taken{};
  isa::insert_bits(taken, isa::mx::kOpcodeBit, isa::mx::kOpcodeWidth, ~std::uint32_t{0});
  isa::insert_bits(taken, isa::mx::kFunctBit, isa::mx::kFunctWidth, ~std::uint32_t{0});
  for (const Field &field : instruction.fields) isa::insert_bits(taken, field.bit, field.width, ~std::uint32_t{0});
  std::string text;
  for (unsigned bit = 0; bit < instruction.bytes * 8U; ++bit) {
    if (isa::extract_bits(taken, bit, 1) != 0) continue;
    const unsigned first = bit;
    while ((bit + 1) % kBlockBits != 0 && isa::extract_bits(taken, bit + 1, 1) == 0) ++bit;
    text += (text.empty() ? "" : ", ") + place_text(first, bit - first + 1);
  }
  return text.empty() ? "none" : text;
}

std::string fields_text(const isa::mx::Instruction &instruction) {
  std::ostringstream out;
  out << "Opcode " << binary(instruction.code, isa::mx::kOpcodeWidth) << ", funct " << binary(instruction.funct, isa::mx::kFunctWidth)
      << ", " << static_cast<int>(instruction.bytes) << " bytes: " << instruction.meaning << ".\n\n"
      << "| field | bits | values | meaning |\n|---|---|---|---|\n";
  for (const Field &field : instruction.fields) {
    out << "| " << field.name << " | " << place_text(field.bit, field.width) << " | " << values_text(field) << " | " << field.meaning
        << " |\n";
  }
  out << "\nReserved: " << reserved_text(instruction) << ".\n";
  return out.str();
}

std::string mx_opcodes_text() {
  std::ostringstream out;
  out << "| instruction | opcode [3:0] | funct [5:4] | bytes | what |\n|---|---|---|---|---|\n";
  for (const isa::mx::Instruction &instruction : isa::mx::kInstructions) {
    out << "| [" << instruction.name << "](#";
    for (const char *c = instruction.name; *c != '\0'; ++c) out << static_cast<char>(*c - 'A' + 'a');
    out << ") | " << binary(instruction.code, isa::mx::kOpcodeWidth) << " | " << binary(instruction.funct, isa::mx::kFunctWidth) << " | "
        << static_cast<int>(instruction.bytes) << " | " << instruction.meaning << " |\n";
  }
  return out.str();
}

}  // namespace

std::string mx_page(const std::string &prose) {
  std::string page = prose;
  bool complete =
      replace_mark(page, "opcodes", mx_opcodes_text()) && replace_mark(page, "enumerations", enumerations_table(isa::mx::kInstructions));
  for (const isa::mx::Instruction &instruction : isa::mx::kInstructions) {
    complete = complete && replace_mark(page, std::string("fields of ") + instruction.name, fields_text(instruction));
  }
  if (!complete) return {};
  return "<!-- Generated from docs/isa/mx.prose.md and isa/mx/table.h by tools/isa_page: edit those, then build the target isa_page. "
         "-->\n" +
         page;
}

}  // namespace cox::tools
