// SPDX-License-Identifier: MIT
#include "tools/tile/page.h"

#include <iomanip>
#include <iterator>
#include <sstream>
#include <string_view>

#include "coxswain/isa/tile/table.h"
#include "tools/isa_page/fields.h"

namespace cox::tools {
namespace {

using isa::Field;
namespace tile = isa::tile;

std::string bits_text(const Field &field) {
  std::ostringstream text;
  text << '[' << field.bit + field.count * field.width - 1 << ':' << field.bit << ']';
  if (field.count > 1) text << ", " << static_cast<int>(field.count) << " x " << static_cast<int>(field.width);
  return text.str();
}

void write_instruction(std::ostream &out, const tile::Instruction &instruction) {
  out << "#### " << instruction.name << "\n\n"
      << "Opcode 0x" << std::hex << std::setw(2) << std::setfill('0') << static_cast<int>(instruction.opcode) << std::dec << ". "
      << instruction.meaning << ".\n\n";
  if (instruction.fields.empty()) return;
  out << "| field | bits | values | meaning |\n|---|---|---|---|\n";
  for (const Field &field : instruction.fields) {
    out << "| " << field.name << (field.optional ? " *(optional)*" : "") << " | " << bits_text(field) << " | " << values_text(field)
        << " | " << field.meaning << " |\n";
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
