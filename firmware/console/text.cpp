// SPDX-License-Identifier: MIT
#include "firmware/console/text.h"

#include <algorithm>

#include "hal/board.h"

namespace cox::firmware::console {

Text &Text::operator<<(std::string_view text) {
  const std::size_t count = std::min(text.size(), kCapacity - size_);
  std::copy_n(text.data(), count, characters_.begin() + static_cast<std::ptrdiff_t>(size_));
  size_ += count;
  return *this;
}

Text &Text::append(std::uint64_t value) {
  constexpr std::size_t kDigits = 20;  // of the largest
  std::array<char, kDigits> digits{};
  std::size_t first = kDigits;
  do {
    digits[--first] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  return *this << std::string_view(&digits[first], kDigits - first);
}

Text &Text::operator<<(const Status &status) {
  *this << error_name(status.code());
  if (status.ok()) return *this;
  *this << ": " << status.what();
  if (status.index() >= 0) *this << ", index " << status.index();
  return *this << ", value " << status.value() << ", limit " << status.limit();
}

Text &Text::pad_to(std::size_t column) {
  while (size_ < std::min(column, kCapacity)) characters_[size_++] = ' ';
  return *this;
}

void print(const Text &text) {
  board::console_write(text.characters());
  constexpr std::string_view kEndOfLine = "\r\n";
  board::console_write(kEndOfLine);
}

}  // namespace cox::firmware::console
