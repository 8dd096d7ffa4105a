// SPDX-License-Identifier: MIT
#include "tools/assembly/line.h"

#include <algorithm>

#include "tools/file/error.h"

namespace cox::tools::assembly {

std::string quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

void Line::fail(std::size_t column, const std::string &why) const {
  std::string text = file_ + ":" + std::to_string(number_) + ":" + std::to_string(column) + ": ";
  if (instruction_ != nullptr) text.append(instruction_).append(": ");
  throw FileError(text + why);
}

void Line::fail(const isa::Field &field, std::size_t column, const std::string &why) const {
  fail(column, std::string(field.name) + ": " + why);
}

Setting setting_of(const Line &line, const Word &word) {
  const std::size_t equals = word.text.find('=');
  if (equals == std::string_view::npos) line.fail(word.column, quoted(word.text) + " is not Field=value");
  return {{word.text.substr(0, equals), word.column}, {word.text.substr(equals + 1), word.column + equals + 1}};
}

bool Lines::next() {
  constexpr std::string_view kBlanks = " \t\r";
  words_.clear();
  while (words_.empty() && !rest_.empty()) {
    const std::size_t end_of_line = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end_of_line);
    line = line.substr(0, line.find('#'));
    rest_.remove_prefix(std::min(end_of_line + 1, rest_.size()));
    ++number_;
    for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos; at = line.find_first_not_of(kBlanks, at)) {
      const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
      words_.push_back({line.substr(at, end - at), at + 1});
      at = end;
    }
  }
  return !words_.empty();
}

}  // namespace cox::tools::assembly
