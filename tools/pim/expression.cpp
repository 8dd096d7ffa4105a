// SPDX-License-Identifier: MIT
#include "tools/pim/expression.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

#include "coxswain/isa/pim/table.h"
#include "tools/names/did_you_mean.h"

namespace cox::tools::pim {
namespace {

using assembly::quoted;

/// Operators by precedence, the weakest first.
constexpr unsigned kLevels = 6;
constexpr std::array<std::array<std::string_view, 3>, kLevels> kOperators{{
    {"|"},
    {"^"},
    {"&"},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "%"},
}};

class Parser {
 public:
  Parser(Tokens &tokens, const Names &names, bool *unknown) : tokens_(tokens), names_(names), unknown_(unknown) {}

  Value binary(unsigned level, unsigned depth) {
    if (level == kLevels) return unary(depth);
    Value left = binary(level + 1, depth);
    for (;;) {
      const Token sign = tokens_.peek();
      bool found = false;
      for (const std::string_view each : kOperators[level]) found = found || (!each.empty() && sign.is(each));
      if (!found) return left;
      static_cast<void>(tokens_.take());
      left = apply(sign, left, binary(level + 1, depth));
    }
  }

 private:
  Value unary(unsigned depth) {
    const Token token = tokens_.peek();
    if (depth == kMostDepth) tokens_.line().fail(token.column, "the expression is nested too deeply");
    for (const std::string_view sign : {"-", "+", "~"}) {
      if (!token.is(sign)) continue;
      static_cast<void>(tokens_.take());
      const Value value = unary(depth + 1);
      if (value.kind != ValueKind::number) no_arithmetic(token.column, value.kind);
      if (sign == "~") return {ValueKind::number, ~value.number};
      if (sign == "+") return value;
      return apply({TokenKind::sign, "-", token.column, 0}, {}, value);
    }
    if (tokens_.take_sign("(")) {
      const Value value = binary(0, depth + 1);
      if (!tokens_.take_sign(")")) tokens_.line().fail(tokens_.peek().column, "a ) is missing");
      return value;
    }
    if (token.kind == TokenKind::number) return {ValueKind::number, tokens_.take().number};
    if (token.kind == TokenKind::name) return name(tokens_.take());
    if (token.kind == TokenKind::end) tokens_.line().fail(token.column, "a value is missing");
    tokens_.line().fail(token.column, quoted(token.text) + " is not expected here; a value is missing");
  }

  Value name(const Token &token) const {
    if (const auto found = names_.find(token.text)) return *found;
    if (const auto found = find_register(token.text)) return *found;
    if (unknown_ != nullptr) {
      *unknown_ = true;
      return {};
    }
    const std::vector<std::string_view> registers = register_names();
    std::vector<std::string_view> known = names_.all();
    known.insert(known.end(), registers.begin(), registers.end());
    tokens_.line().fail(token.column, "there is no " + quoted(token.text) + did_you_mean(token.text, known));
  }

  Value apply(const Token &sign, Value left, Value right) const {
    if (left.kind == ValueKind::label && right.kind == ValueKind::label && sign.text == "-")
      return {ValueKind::number, left.number - right.number};
    ValueKind kind = ValueKind::number;
    const bool moves_label = left.kind == ValueKind::label && right.kind == ValueKind::number && (sign.text == "+" || sign.text == "-");
    const bool moved_label = left.kind == ValueKind::number && right.kind == ValueKind::label && sign.text == "+";
    if (moves_label || moved_label) {
      kind = ValueKind::label;
    } else if (left.kind != ValueKind::number || right.kind != ValueKind::number) {
      no_arithmetic(sign.column, left.kind != ValueKind::number ? left.kind : right.kind);
    }
    return {kind, compute(sign, left.number, right.number)};
  }

  std::int64_t compute(const Token &sign, std::int64_t left, std::int64_t right) const {
    std::int64_t result = 0;
    bool overflow = false;
    switch (sign.text[0]) {
      case '+': overflow = __builtin_add_overflow(left, right, &result); break;
      case '-': overflow = __builtin_sub_overflow(left, right, &result); break;
      case '*': overflow = __builtin_mul_overflow(left, right, &result); break;
      case '/':
      case '%':
        if (right == 0) tokens_.line().fail(sign.column, "division by zero");
        overflow = right == -1 && __builtin_sub_overflow(std::int64_t{0}, left, &result);
        if (right == -1) return overflow ? too_large(sign) : sign.text[0] == '/' ? result : 0;
        return sign.text[0] == '/' ? left / right : left % right;
      case '<':
      case '>':
        if (right < 0 || right > 63) tokens_.line().fail(sign.column, "a shift by " + std::to_string(right) + " is not from 0 to 63");
        if (sign.text[0] == '>') return left >> right;
        result = static_cast<std::int64_t>(static_cast<std::uint64_t>(left) << right);
        overflow = result >> right != left;
        break;
      case '&': return left & right;
      case '|': return left | right;
      default: return left ^ right;
    }
    return overflow ? too_large(sign) : result;
  }

  [[noreturn]] std::int64_t too_large(const Token &sign) const { tokens_.line().fail(sign.column, "the result has more than 64 bits"); }

  [[noreturn]] void no_arithmetic(std::size_t column, ValueKind kind) const {
    tokens_.line().fail(column, kind == ValueKind::label ? "labels can only be subtracted, and moved by a number"
                                                         : "a register has no value here; a comma may be missing");
  }

  Tokens &tokens_;
  const Names &names_;
  bool *unknown_;
};

}  // namespace

Value take_expression(Tokens &tokens, const Names &names, bool *unknown) { return Parser(tokens, names, unknown).binary(0, 0); }

std::int64_t take_number(Tokens &tokens, const Names &names) {
  const std::size_t column = tokens.peek().column;
  const Value value = take_expression(tokens, names);
  if (value.kind != ValueKind::number && value.kind != ValueKind::label) tokens.line().fail(column, "is a register, not a number");
  return value.number;
}

std::uint32_t take_number32(Tokens &tokens, const Names &names, std::size_t column) {
  const std::int64_t number = take_number(tokens, names);
  if (number < std::numeric_limits<std::int32_t>::min() || number > std::numeric_limits<std::uint32_t>::max())
    tokens.line().fail(column, fmt::format("{} does not fit into 32 bits", number));
  return static_cast<std::uint32_t>(number);
}

std::vector<std::string_view> register_names() {
  std::vector<std::string_view> names;
  for (const isa::EnumValue &special : isa::pim::detail::kSpecialValues) names.emplace_back(special.name);
  return names;
}

std::optional<Value> find_register(std::string_view name) {
  if (const isa::EnumValue *special = isa::pim::detail::kSpecial.find(name)) return Value{ValueKind::special, special->value};
  if (name.size() < 2 || name.size() > 3 || (name[0] != 'r' && name[0] != 's') || (name[1] == '0' && name.size() > 2)) return std::nullopt;
  unsigned number = 0;
  const auto [stop, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  if (error != std::errc{} || stop != name.data() + name.size() || number >= isa::pim::kRegisters) return std::nullopt;
  return Value{name[0] == 'r' ? ValueKind::general : ValueKind::special, number};
}

}  // namespace cox::tools::pim
