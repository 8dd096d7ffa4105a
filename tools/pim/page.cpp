// SPDX-License-Identifier: MIT
#include "tools/pim/page.h"

#include <fmt/format.h>

#include "coxswain/isa/pim/table.h"
#include "tools/isa_page/fields.h"

namespace cox::tools::pim {
namespace {

using isa::Field;
using isa::pim::Instruction;
using isa::pim::MachineCode;

constexpr unsigned kBits = 32;

std::string bits_text(unsigned bit, unsigned width) {
  return width == 1 ? fmt::format("[{}]", bit) : fmt::format("[{}:{}]", bit + width - 1, bit);
}

/// Returns the bits that identify an instruction, for example `[31:28] = 0b1000, [2:0] = 0b001`.
std::string identity_text(const Instruction &row) {
  std::string text;
  for (const Field &field : row.identity) {
    const std::uint32_t value = isa::extract_bits(MachineCode{row.word}, field.bit, field.width);
    text += fmt::format("{}{} = 0b{:0{}b}", text.empty() ? "" : ", ", bits_text(field.bit, field.width), value, unsigned{field.width});
  }
  return text;
}

std::string pim_reserved_text(const Instruction &row) {
  MachineCode taken{};
  for (const std::span<const Field> fields : {row.identity, row.fields}) {
    for (const Field &field : fields) isa::insert_bits(taken, field.bit, field.width, ~std::uint32_t{0});
  }
  std::string text;
  for (unsigned bit = 0; bit < kBits; ++bit) {
    if (isa::extract_bits(taken, bit, 1) != 0) continue;
    const unsigned first = bit;
    while (bit + 1 < kBits && isa::extract_bits(taken, bit + 1, 1) == 0) ++bit;
    text = bits_text(first, bit - first + 1) + (text.empty() ? "" : ", ") + text;
  }
  return text.empty() ? "none" : text;
}

bool same_fields(const Instruction &a, const Instruction &b) { return a.fields.data() == b.fields.data(); }

std::string pim_fields_text(const Instruction &row) {
  std::string text;
  for (const Instruction &other : isa::pim::kInstructions) {
    if (same_fields(row, other)) text += fmt::format("- `{}`, {}: {}.\n", other.name, identity_text(other), other.meaning);
  }
  text += "\n| field | bits | values | meaning |\n|---|---|---|---|\n";
  for (const Field &field : row.fields)
    text += fmt::format("| {} | {} | {} | {} |\n", field.name, bits_text(field.bit, field.width), values_text(field), field.meaning);
  return text + "\nReserved: " + pim_reserved_text(row) + ".\n";
}

std::string pim_opcodes_text() {
  std::string text = "| instruction | bits | what |\n|---|---|---|\n";
  for (const Instruction &row : isa::pim::kInstructions)
    text += fmt::format("| {} | {} | {} |\n", row.name, identity_text(row), row.meaning);
  return text;
}

}  // namespace

std::string page(const std::string &prose) {
  std::string page = prose;
  bool complete =
      replace_mark(page, "opcodes", pim_opcodes_text()) && replace_mark(page, "enumerations", enumerations_table(isa::pim::kInstructions));
  for (const Instruction &row : isa::pim::kInstructions) {
    bool found = false;
    for (const Instruction &other : isa::pim::kInstructions) {
      const std::string mark = std::string("fields of ") + other.name;
      if (!same_fields(row, other)) continue;
      // A mark that another instruction has used is gone from the page, but not from the prose.
      found = found || prose.find("<!-- " + mark + " -->") != std::string::npos;
      static_cast<void>(replace_mark(page, mark, pim_fields_text(other)));
    }
    complete = complete && found;
  }
  if (!complete) return {};
  return "<!-- Generated from docs/isa/pim.prose.md and isa/pim/table.h by tools/isa_page: edit those, then build the target isa_page. "
         "-->\n" +
         page;
}

}  // namespace cox::tools::pim
