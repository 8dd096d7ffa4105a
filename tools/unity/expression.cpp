// SPDX-License-Identifier: MIT
#include "tools/unity/expression.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "tools/names/did_you_mean.h"

namespace cox::tools::unity {

using assembly::quoted;

namespace {

constexpr unsigned kMostNesting = 64;
constexpr unsigned kLevels = 6;
/// Operators by precedence, the weakest first.
constexpr std::array<std::array<std::string_view, 3>, kLevels> kOperators{{{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}};

}  // namespace

class Parser {
 public:
  Parser(Tokens &tokens, const Symbols &symbols, Labels labels) : tokens_(tokens), symbols_(symbols), labels_(labels) {}

  std::int64_t binary(unsigned level, unsigned depth) {
    if (level == kLevels) return unary(depth);
    std::int64_t left = binary(level + 1, depth);
    for (;;) {
      const Token sign = tokens_.peek();
      bool found = false;
      for (const std::string_view each : kOperators[level]) found = found || (!each.empty() && sign.is(each));
      if (!found) return left;
      static_cast<void>(tokens_.take());
      left = compute(sign, left, binary(level + 1, depth));
    }
  }

  std::int64_t operand(unsigned depth) {
    const Token token = tokens_.peek();
    if (tokens_.take_sign("(")) {
      const std::int64_t value = binary(0, depth + 1);
      tokens_.expect_sign(")");
      return value;
    }
    if (token.kind == TokenKind::name) return value_of(tokens_.take());
    if (token.kind == TokenKind::number) {
      if (!token.is_whole) tokens_.line().fail(token.column, quoted(token.text) + " is not a whole number");
      return tokens_.take().number;
    }
    if (token.kind == TokenKind::end) tokens_.line().fail(token.column, "a value is missing");
    tokens_.line().fail(token.column, quoted(token.text) + " is not expected here; a value is missing");
  }

 private:
  std::int64_t unary(unsigned depth) {
    const Token token = tokens_.peek();
    if (depth == kMostNesting) tokens_.line().fail(token.column, "the expression is nested too deeply");
    if (tokens_.take_sign("+")) return unary(depth + 1);
    if (tokens_.take_sign("~")) return ~unary(depth + 1);
    if (tokens_.take_sign("-")) return compute(token, 0, unary(depth + 1));
    return operand(depth);
  }

  std::int64_t value_of(const Token &name) const {
    const auto found = symbols_.entries_.find(name.text);
    if (found == symbols_.entries_.end()) {
      if (!symbols_.complete_ && labels_ == Labels::later) return 0;
      const auto name_of = [](const auto &entry) -> std::string_view { return entry.first; };
      tokens_.line().fail(name.column, "there is no " + quoted(name.text) + did_you_mean(name.text, symbols_.entries_, name_of));
    }
    if (found->second.is_label && labels_ == Labels::refused)
      tokens_.line().fail(name.column, quoted(name.text) + " is a label, which has no value yet");
    return found->second.value;
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
        if (right != -1) return sign.text[0] == '/' ? left / right : left % right;
        overflow = __builtin_sub_overflow(std::int64_t{0}, left, &result);
        if (sign.text[0] == '%') return 0;
        break;
      case '<':
      case '>':
        if (right < 0 || right > 63) tokens_.line().fail(sign.column, fmt::format("a shift by {} is not from 0 to 63", right));
        if (sign.text[0] == '>') return left >> right;
        result = static_cast<std::int64_t>(static_cast<std::uint64_t>(left) << right);
        overflow = result >> right != left;
        break;
      case '&': return left & right;
      case '|': return left | right;
      default: return left ^ right;
    }
    if (overflow) tokens_.line().fail(sign.column, "the result has more than 64 bits");
    return result;
  }

  Tokens &tokens_;
  const Symbols &symbols_;
  Labels labels_;
};

void Symbols::add(const assembly::Line &line, const Token &name, const Entry &entry) {
  if (name.kind != TokenKind::name || name.text.front() == '.') line.fail(name.column, "a name is missing");
  const auto [place, added] = entries_.emplace(name.text, entry);
  if (!added) line.fail(name.column, fmt::format("{} is defined already, in line {}", quoted(name.text), place->second.line));
}

void Symbols::define(const assembly::Line &line, const Token &name, std::size_t number, std::int64_t value) {
  add(line, name, {.value = value, .is_label = false, .line = number});
}

void Symbols::declare(const assembly::Line &line, const Token &name, std::size_t number) {
  add(line, name, {.value = 0, .is_label = true, .line = number});
}

const SlotsLabel *Symbols::find_slots(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() || !found->second.slots ? nullptr : &*found->second.slots;
}

bool Symbols::is_label(std::string_view name) const {
  const auto found = entries_.find(name);
  return found != entries_.end() && found->second.is_label;
}

std::int64_t take_expression(Tokens &tokens, const Symbols &symbols, Labels labels) { return Parser(tokens, symbols, labels).binary(0, 0); }

std::int64_t take_operand(Tokens &tokens, const Symbols &symbols, Labels labels) { return Parser(tokens, symbols, labels).operand(0); }

void check_range(const Tokens &tokens, std::size_t column, const char *what, std::int64_t value, std::int64_t minimum,
                 std::int64_t maximum) {
  if (value < minimum || value > maximum)
    tokens.line().fail(column, fmt::format("{}: {} is out of range ({} to {})", what, value, minimum, maximum));
}

std::int64_t take_number(Tokens &tokens, const Symbols &symbols, const char *what, std::int64_t minimum, std::int64_t maximum,
                         Labels labels) {
  const std::size_t column = tokens.peek().column;
  const std::int64_t value = take_expression(tokens, symbols, labels);
  check_range(tokens, column, what, value, minimum, maximum);
  return value;
}

}  // namespace cox::tools::unity
