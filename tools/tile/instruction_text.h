// SPDX-License-Identifier: MIT
// Converts one line of a stream to JSON text. Strict JSON stays as it is. The other form is the printed form (docs/cox.md, Streams). It has
// a bare name at the beginning, single quotes, True and False, and values such as `<DataFmt.FP16: 3>`. Such a value becomes a string
// ("<DataFmt.FP16: 3>").
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cox::task {

/// An error in a line, with its column (counted from 1).
class TextError : public std::runtime_error {
 public:
  TextError(int column, const std::string &message) : std::runtime_error(message), column_(column) {}
  [[nodiscard]] int column() const { return column_; }

 private:
  int column_;
};

/// A key of one of the line's objects, with the number of the object (counted from 0) and the column (counted from 1).
struct Key {
  int object;
  std::string name;
  int column;
};

struct InstructionText {
  std::string json;
  std::vector<int> columns;  ///< column in the line (from 1) of each byte of `json`, and of the line's end
  std::vector<Key> keys;

  /// Returns the column of the key, or 1 if the key is not there.
  [[nodiscard]] int column_of(int object, std::string_view name) const;
};

/// Converts a line in strict JSON or in the printed form to strict JSON. Throws TextError if a character fits neither, if a string has no
/// end, or if an object has a key twice.
[[nodiscard]] InstructionText to_json_text(std::string_view line);

}  // namespace cox::task
