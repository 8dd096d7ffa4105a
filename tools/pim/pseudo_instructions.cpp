// SPDX-License-Identifier: MIT
#include "tools/pim/pseudo_instructions.h"

#include <fmt/format.h>

#include <utility>

#include "coxswain/isa/pim/build.h"

namespace cox::tools::pim {

namespace build = isa::pim::build;

namespace {

build::Reg general_of(const Value &value) { return build::r(static_cast<unsigned>(value.number)); }
isa::pim::Special special_of(const Tokens &tokens, const Value &value, std::size_t column) {
  if (!isa::pim::is_special(static_cast<unsigned>(value.number)))
    tokens.line().fail(column, fmt::format("there is no special register {}", value.number));
  return static_cast<isa::pim::Special>(value.number);
}

}  // namespace

void load_immediate(const Operands &operands, std::uint32_t size, Code &code) {
  Tokens &tokens = operands.tokens;
  const std::size_t column = tokens.peek().column;
  const Value destination = take_expression(tokens, operands.names);
  if (destination.kind != ValueKind::general && destination.kind != ValueKind::special) tokens.line().fail(column, "rd: wants a register");
  if (!tokens.take_sign(",")) tokens.line().fail(tokens.peek().column, "a comma is missing");
  const std::size_t value_column = tokens.peek().column;
  const std::uint32_t value = take_number32(tokens, operands.names, value_column);
  tokens.expect_end();
  constexpr std::uint32_t kMost = (1U << 21) - 1;
  if (destination.kind == ValueKind::special) {
    const isa::pim::Special special = special_of(tokens, destination, column);
    if (value > kMost) {
      tokens.line().fail(value_column, fmt::format("{} is out of range (0 to {}) for a special register; load a general register and "
                                                   "copy it with mv",
                                                   static_cast<std::int32_t>(value), kMost));
    }
    code.push_back(build::special_li(special, value)[0]);
    return;
  }
  const build::Constant constant = build::constant(general_of(destination), value);
  for (const isa::pim::MachineCode &word : constant.code()) code.push_back(word[0]);
  // The first pass has reserved two instructions for a value that it did not know.
  if (constant.count < size) code.push_back(build::addi(general_of(destination), general_of(destination), 0)[0]);
}

std::uint32_t move(const Operands &operands) {
  Tokens &tokens = operands.tokens;
  const std::size_t column = tokens.peek().column;
  const Value to = take_expression(tokens, operands.names);
  if (!tokens.take_sign(",")) tokens.line().fail(tokens.peek().column, "a comma is missing");
  const std::size_t from_column = tokens.peek().column;
  const Value from = take_expression(tokens, operands.names);
  tokens.expect_end();
  for (const auto &[value, at] : {std::pair(to, column), std::pair(from, from_column)}) {
    if (value.kind != ValueKind::general && value.kind != ValueKind::special)
      tokens.line().fail(at, "mv copies registers; li loads constants");
  }
  if (to.kind == ValueKind::special && from.kind == ValueKind::special)
    tokens.line().fail(column, "a special register cannot be copied to another at once; use a general register between them");
  if (to.kind == ValueKind::special) return build::general_to_special(special_of(tokens, to, column), general_of(from))[0];
  if (from.kind == ValueKind::special) return build::special_to_general(general_of(to), special_of(tokens, from, from_column))[0];
  return build::addi(general_of(to), general_of(from), 0)[0];
}

}  // namespace cox::tools::pim
