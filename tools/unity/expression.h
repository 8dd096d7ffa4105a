// SPDX-License-Identifier: MIT
// Names of xDSA assembly, and expressions over them: + - * / % << >> & | ^ ~ and parentheses, with C's precedence, in 64 bits with a sign.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "tools/unity/token.h"

namespace cox::tools::unity {

class Symbols {
 public:
  /// Defines a name. Fails the line if it has a value, or is a label, already.
  void define(const assembly::Line &line, const Token &name, std::size_t number, std::int64_t value);
  /// Declares a label: place() gives it its value.
  void declare(const assembly::Line &line, const Token &name, std::size_t number);
  void place(const std::string &name, std::int64_t value) { entries_.at(name).value = value; }
  /// From now on all labels have values, and unknown names are errors.
  void end_of_layout() { placed_ = true; }

 private:
  friend class Parser;
  struct Entry {
    std::int64_t value = 0;
    bool is_label = false;
    std::size_t line = 0;
  };
  void add(const assembly::Line &line, const Token &name, const Entry &entry);

  std::map<std::string, Entry, std::less<>> entries_;
  bool placed_ = false;
};

enum class Labels : std::uint8_t {
  later,   ///< before end_of_layout(), names without a value count as 0
  refused  ///< every name must have its value
};

/// Takes an expression. Fails the line, with the column, at what is no expression, at an unknown name, at a division by zero and at a
/// result over 64 bits.
[[nodiscard]] std::int64_t take_expression(Tokens &tokens, const Symbols &symbols, Labels labels = Labels::later);
/// The same for a number, a name or an expression in parentheses.
[[nodiscard]] std::int64_t take_operand(Tokens &tokens, const Symbols &symbols, Labels labels = Labels::later);
/// take_expression() for a number in a range. `what` is for the message.
[[nodiscard]] std::int64_t take_number(Tokens &tokens, const Symbols &symbols, const char *what, std::int64_t minimum, std::int64_t maximum,
                                       Labels labels = Labels::later);
/// Fails the line at `column` if the value is not in the range.
void check_range(const Tokens &tokens, std::size_t column, const char *what, std::int64_t value, std::int64_t minimum,
                 std::int64_t maximum);

}  // namespace cox::tools::unity
