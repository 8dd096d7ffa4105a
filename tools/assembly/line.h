// SPDX-License-Identifier: MIT
// Lines of the text form of an engine's stream (docs/cox.md, MX streams, CUBE streams): a name, then words of the form Field=value. `#`
// begins a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "coxswain/isa/field.h"

namespace cox::tools::assembly {

/// Consecutive characters without a blank, and the column of the first one.
struct Word {
  std::string_view text;
  std::size_t column = 1;  ///< counted from 1
};

[[nodiscard]] std::string quoted(std::string_view text);

/// A line with at least one word. Its errors are FileErrors with file, line and column, and the name of the instruction once
/// set_instruction() was called.
class Line {
 public:
  Line(const std::string &file, std::size_t number, const std::vector<Word> &words) : file_(file), number_(number), words_(words) {}

  [[nodiscard]] const std::vector<Word> &words() const { return words_; }
  /// From now on, errors name this instruction.
  void set_instruction(const char *name) { instruction_ = name; }

  [[noreturn]] void fail(std::size_t column, const std::string &why) const;
  [[noreturn]] void fail(const isa::Field &field, std::size_t column, const std::string &why) const;

 private:
  const std::string &file_;
  std::size_t number_;
  const std::vector<Word> &words_;
  const char *instruction_ = nullptr;
};

/// A word of the form Field=value; the value may be empty. A word without `=` is refused.
struct Setting {
  Word field, value;
};
[[nodiscard]] Setting setting_of(const Line &line, const Word &word);

/// Takes the lines of a text one after another. Skips blank lines and lines that have only a comment.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// Goes to the next line. Returns false if there is none.
  bool next();
  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] const std::vector<Word> &words() const { return words_; }  ///< at least one word

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
  std::vector<Word> words_;
};

}  // namespace cox::tools::assembly
