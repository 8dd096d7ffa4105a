// SPDX-License-Identifier: MIT
#include "tools/tile/instruction_text.h"

#include <cctype>

namespace cox::task {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Scanner {
 public:
  explicit Scanner(std::string_view line) : line_(line) {}

  InstructionText run() {
    while (at_ < line_.size()) step();
    out_.columns.push_back(column(at_));
    return std::move(out_);
  }

 private:
  static int column(std::size_t position) { return static_cast<int>(position) + 1; }
  [[nodiscard]] char peek(std::size_t ahead = 0) const { return at_ + ahead < line_.size() ? line_[at_ + ahead] : '\0'; }

  void put(char c, std::size_t from) {
    out_.json.push_back(c);
    out_.columns.push_back(column(from));
  }
  void put(std::string_view text, std::size_t from) {
    for (const char c : text) put(c, from);
  }

  void step() {
    const char c = line_[at_];
    if (c == '"' || c == '\'') {
      string(c);
    } else if (c == '<') {
      enumeration();
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word();
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.') {
      number();
    } else if (is_space(c) || c == ',' || c == ':') {
      put(c, at_++);
    } else if (c == '[' || c == '{') {
      if (c == '{' && depth_ == 1) ++object_;
      ++depth_;
      put(c, at_++);
    } else if (c == ']' || c == '}') {
      --depth_;
      put(c, at_++);
    } else {
      throw TextError(column(at_), std::string("unexpected character '") + c + "'");
    }
  }

  void string(char quote) {
    const std::size_t begin = at_++;
    std::string text;
    put('"', begin);
    while (peek() != quote) {
      if (at_ >= line_.size()) throw TextError(column(begin), "string without an end");
      const char c = line_[at_];
      if (c == '\\') {
        if (at_ + 1 >= line_.size()) throw TextError(column(begin), "string without an end");
        if (peek(1) != '\'') put(c, at_);
        ++at_;
      } else if (c == '"') {
        put('\\', at_);  // a double quote within single quotes
      }
      text.push_back(line_[at_]);
      put(line_[at_], at_);
      ++at_;
    }
    put('"', at_++);
    std::size_t next = at_;
    while (next < line_.size() && is_space(line_[next])) ++next;
    if (depth_ == 2 && next < line_.size() && line_[next] == ':') add_key(text, begin);
  }

  void add_key(const std::string &name, std::size_t begin) {
    for (const Key &key : out_.keys) {
      if (key.object == object_ && key.name == name) {
        throw TextError(column(begin), name + ": given twice (first in column " + std::to_string(key.column) + ")");
      }
    }
    out_.keys.push_back({object_, name, column(begin)});
  }

  void enumeration() {
    const std::size_t end = line_.find('>', at_);
    if (end == std::string_view::npos) throw TextError(column(at_), "'<' without '>'");
    put('"', at_);
    for (; at_ <= end; ++at_) {
      if (line_[at_] == '"' || line_[at_] == '\\') throw TextError(column(at_), std::string("unexpected character '") + line_[at_] + "'");
      put(line_[at_], at_);
    }
    put('"', end);
  }

  void word() {
    const std::size_t begin = at_;
    while (is_word(peek())) ++at_;
    const std::string_view text = line_.substr(begin, at_ - begin);
    if (text == "True" || text == "true") {
      put("true", begin);
    } else if (text == "False" || text == "false") {
      put("false", begin);
    } else if (depth_ == 1 && object_ < 0) {
      put('"', begin);
      put(text, begin);
      put('"', begin);
    } else {
      throw TextError(column(begin), "'" + std::string(text) + "' is neither a number nor a string");
    }
  }

  void number() {
    while (is_word(peek()) || peek() == '.' || peek() == '-' || peek() == '+') {
      put(line_[at_], at_);
      ++at_;
    }
  }

  std::string_view line_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int object_ = -1;
  InstructionText out_;
};

}  // namespace

int InstructionText::column_of(int object, std::string_view name) const {
  for (const Key &key : keys) {
    if (key.object == object && key.name == name) return key.column;
  }
  return 1;
}

InstructionText to_json_text(std::string_view line) { return Scanner(line).run(); }

}  // namespace cox::task
