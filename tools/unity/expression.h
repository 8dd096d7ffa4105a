// SPDX-License-Identifier: MIT
// Names of xDSA assembly, and expressions over them: + - * / % << >> & | ^ ~ and parentheses, with C's precedence, in 64 bits with a sign.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "coxswain/isa/unity/storage.h"
#include "tools/unity/token.h"

namespace cox::tools::unity {

/// What the label of a block `.slots` stands for besides its address.
struct SlotsLabel {
  isa::unity::Domain domain{};
  unsigned queue = 0, slots = 0;
};

class Symbols {
 public:
  /// Defines a name. Fails the line if it has a value, or is a label, already.
  void define(const assembly::Line &line, const Token &name, std::size_t number, std::int64_t value);
  /// Declares a label: place() gives it its value.
  void declare(const assembly::Line &line, const Token &name, std::size_t number);
  void place(const std::string &name, std::int64_t value) { entries_.at(name).value = value; }
  /// Says what a declared label of slots stands for.
  void describe(const std::string &name, const SlotsLabel &slots) { entries_.at(name).slots = slots; }
  /// Returns what describe() has said of a name, otherwise nullptr.
  [[nodiscard]] const SlotsLabel *find_slots(std::string_view name) const;
  /// True for a name that declare() was called with.
  [[nodiscard]] bool is_label(std::string_view name) const;
  /// From now on unknown names are errors. Labels without a place count as 0.
  void end_of_text() { complete_ = true; }

 private:
  friend class Parser;
  struct Entry {
    std::int64_t value = 0;
    bool is_label = false;
    std::size_t line = 0;
    std::optional<SlotsLabel> slots{};
  };
  void add(const assembly::Line &line, const Token &name, const Entry &entry);

  std::map<std::string, Entry, std::less<>> entries_;
  bool complete_ = false;
};

enum class Labels : std::uint8_t {
  later,   ///< before end_of_text(), names without a value count as 0
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
