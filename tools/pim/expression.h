// SPDX-License-Identifier: MIT
// Expressions of PIM assembly: + - * / % << >> & | ^ ~ and parentheses over numbers, constants and labels, with C's precedence. All numbers
// have 64 bits and a sign.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tools/pim/token.h"

namespace cox::tools::pim {

enum class ValueKind : std::uint8_t {
  number,
  label,    ///< number of an instruction; the difference of two labels is a number
  general,  ///< a general register
  special,
};

struct Value {
  ValueKind kind = ValueKind::number;
  std::int64_t number = 0;
};

/// Parentheses and unary signs may lie this deep in each other.
inline constexpr unsigned kMostDepth = 64;

class Names {
 public:
  /// The value of a name; nullopt if the name is unknown.
  [[nodiscard]] virtual std::optional<Value> find(std::string_view name) const = 0;
  /// All names, for suggestions.
  [[nodiscard]] virtual std::vector<std::string_view> all() const = 0;

 protected:
  ~Names() = default;
};

/// Takes an expression. Fails the line, with the column, at what is no expression, at a name that `names` lacks, at an operation that its
/// operands do not have, at a division by zero and at a result over 64 bits. If `unknown` is given, a name that `names` lacks sets it to
/// true and counts as 0.
[[nodiscard]] Value take_expression(Tokens &tokens, const Names &names, bool *unknown = nullptr);

/// take_expression() for a number or a label; fails at a register.
[[nodiscard]] std::int64_t take_number(Tokens &tokens, const Names &names);

/// take_number() for a number of 32 bits, with or without a sign. `column`: of the number.
[[nodiscard]] std::uint32_t take_number32(Tokens &tokens, const Names &names, std::size_t column);

/// Finds registers: r0 to r31, the names of special registers, and s0 to s31, their numbers.
[[nodiscard]] std::optional<Value> find_register(std::string_view name);

/// Names of special registers, for suggestions.
[[nodiscard]] std::vector<std::string_view> register_names();

}  // namespace cox::tools::pim
