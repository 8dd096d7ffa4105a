// SPDX-License-Identifier: MIT
// Lines of text for the console. Each has a buffer of fixed size. Newlib's printf() would be larger than the firmware, and it uses the
// heap.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "coxswain/base/status.h"

namespace cox::firmware::console {

/// A line of at most kCapacity characters. Further characters are dropped; unprintable ones become '?'.
class Text {
 public:
  static constexpr std::size_t kCapacity = 160;

  Text &operator<<(std::string_view text);
  template <std::unsigned_integral Number>
  Text &operator<<(Number value) {
    return append(std::uint64_t{value});
  }
  template <std::signed_integral Number>
  Text &operator<<(Number value) {
    return value >= 0 ? append(static_cast<std::uint64_t>(value)) : (*this << "-").append(0 - static_cast<std::uint64_t>(value));
  }
  /// Appends a status, for example "tokens_unbalanced: PE->VP, index 17, value 3, limit 2". For a device_fault, the limit is printed as
  /// "detail 0x60000040".
  Text &operator<<(const Status &status);
  /// Appends spaces up to column `column`.
  Text &pad_to(std::size_t column);

  [[nodiscard]] std::span<const char> characters() const { return std::span(characters_).first(size_); }

 private:
  Text &append(std::uint64_t value);

  std::array<char, kCapacity> characters_{};
  std::size_t size_ = 0;
};

/// A number that is written in hexadecimal: "0x60000040".
struct Hexadecimal {
  std::uint64_t value;
};
Text &operator<<(Text &text, Hexadecimal number);

/// A part that is written as a percentage of a whole: "37.5 %", or "-" if the whole is 0.
struct Share {
  std::uint64_t part;
  std::uint64_t whole;
};
Text &operator<<(Text &text, Share share);

/// Writes a line to the board's console.
void print(const Text &text);

}  // namespace cox::firmware::console
