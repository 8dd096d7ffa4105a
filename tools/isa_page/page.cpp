// SPDX-License-Identifier: MIT
#include "tools/isa_page/page.h"

#include <iomanip>
#include <iterator>
#include <sstream>
#include <string_view>

#include "isa/tile/table.h"
#include "tools/isa_page/fields.h"

namespace cox::tools {
namespace {

using isa::EnumValue;
using isa::Field;
using isa::Kind;
namespace tile = isa::tile;

std::string bits_text(const Field &field) {
  std::ostringstream text;
  text << '[' << field.bit + field.count * field.width - 1 << ':' << field.bit << ']';
  if (field.count > 1) text << ", " << static_cast<int>(field.count) << " x " << static_cast<int>(field.width);
  return text.str();
}

/// The implemented values where they are not all; by name where they have names.
std::string implemented_text(const Field &field) {
  if (field.implemented == 0) return "all";
  std::ostringstream text;
  const char *separator = "";
  for (int value = 0; value < 64; ++value) {
    if ((field.implemented >> value & 1U) == 0) continue;
    text << separator;
    separator = ", ";
    const EnumValue *entry = field.kind == Kind::enumeration ? field.types[0]->find(std::int64_t{value}) : nullptr;
    if (entry != nullptr) {
      text << entry->name;
    } else if (field.kind == Kind::boolean) {
      text << (value != 0 ? "true" : "false");
    } else {
      text << value;
    }
  }
  return text.str();
}

void write_instruction(std::ostream &out, const tile::Instruction &instruction) {
  out << "#### " << instruction.name << "\n\n"
      << "Opcode 0x" << std::hex << std::setw(2) << std::setfill('0') << static_cast<int>(instruction.opcode) << std::dec << ". "
      << instruction.meaning << ".\n\n";
  if (instruction.fields.empty()) return;
  out << "| field | bits | values | implemented | meaning |\n|---|---|---|---|---|\n";
  for (const Field &field : instruction.fields) {
    out << "| " << field.name << " | " << bits_text(field) << " | " << values_text(field) << " | " << implemented_text(field) << " | "
        << field.meaning << " |\n";
  }
  out << '\n';
}

}  // namespace

std::string tile_reference() {
  std::ostringstream out;
  for (unsigned c = 0; c < tile::kClasses; ++c) {
    out << "### Class " << tile::kClassNames[c] << "\n\n";
    for (const tile::Instruction &instruction : tile::kInstructions) {
      if (static_cast<unsigned>(instruction.queue) == c) write_instruction(out, instruction);
    }
  }
  out << enumerations_table(tile::kInstructions);
  return out.str();
}

std::string tile_page(const std::string &prose) {
  constexpr std::string_view kMark = "<!-- reference -->\n";
  const std::size_t at = prose.find(kMark);
  if (at == std::string::npos) return {};
  std::string page =
      "<!-- Generated from docs/isa/tile.prose.md and isa/tile/table.h by tools/isa_page: edit those, then build the target isa_page. "
      "-->\n";
  page.append(prose, 0, at).append(tile_reference()).append(prose, at + kMark.size());
  return page;
}

}  // namespace cox::tools
