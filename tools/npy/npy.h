// SPDX-License-Identifier: MIT
// Arrays in NumPy's .npy files: header versions 1 and 2, C order, little-endian numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace cox::tools {

/// The type of an array's elements, as NumPy writes it: its kind ('b' bool, 'i' signed, 'u' unsigned, 'f' float) and size in bytes.
struct NpyType {
  char kind = 'i';
  unsigned bytes = 1;

  friend bool operator==(const NpyType &, const NpyType &) = default;
  /// Returns for example `int8` or `float32`.
  [[nodiscard]] std::string name() const;
};

struct NpyArray {
  NpyType type;
  std::vector<std::size_t> shape;   ///< empty: one element
  std::vector<std::uint8_t> bytes;  ///< of all elements, the last dimension contiguous
};

/// Reads the bytes of a file called `name`. Throws FileError, with the name and what is wrong, for other files than the ones above: another
/// version, other types, big-endian numbers, Fortran's order, a wrong size.
[[nodiscard]] NpyArray parse_npy(std::span<const std::uint8_t> file, const std::string &name);

/// Reads a file. Throws FileError, as parse_npy() does, or if the file cannot be read.
[[nodiscard]] NpyArray read_npy(const std::string &path);

/// Returns the bytes of a file with header version 1, or 2 if the header is long. `array.bytes` has the size of type and shape.
[[nodiscard]] std::vector<std::uint8_t> npy_file(const NpyArray &array);

}  // namespace cox::tools
