// SPDX-License-Identifier: MIT
// One line of a stream as JSON text. Strict JSON goes through as it is; the printed form of the instruction set's description becomes JSON:
// a bare name at the beginning, single quotes, True and False, and `<DataFmt.FP16: 3>`, which becomes the string "<DataFmt.FP16: 3>".
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cox::task {

/// What is wrong in a line, and the column (from 1).
class TextError : public std::runtime_error {
 public:
  TextError(int column, const std::string &message) : std::runtime_error(message), column_(column) {}
  [[nodiscard]] int column() const { return column_; }

 private:
  int column_;
};

/// A key of one of the line's objects: which object (from 0), where (column, from 1).
struct Key {
  int object;
  std::string name;
  int column;
};

struct InstructionText {
  std::string json;
  std::vector<int> columns;  ///< column in the line (from 1) of each byte of `json`, and of the line's end
  std::vector<Key> keys;

  /// The column of that key, 1 if it is not there.
  [[nodiscard]] int column_of(int object, std::string_view name) const;
};

/// Throws TextError for a character that neither form has, a string without an end, and a key that an object has twice.
[[nodiscard]] InstructionText to_json_text(std::string_view line);

}  // namespace cox::task
