// SPDX-License-Identifier: MIT
#include "coxswain/firmware/console/text.h"

#include <algorithm>

#include "coxswain/hal/board.h"

namespace cox::firmware::console {

Text &Text::operator<<(std::string_view text) {
  const std::size_t count = std::min(text.size(), kCapacity - size_);
  // A submitter chooses the names of tasks. Unprintable characters in a name could control the terminal.
  const auto printable = [](char character) { return character >= ' ' && character <= '~' ? character : '?'; };
  std::transform(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count), characters_.begin() + static_cast<std::ptrdiff_t>(size_),
                 printable);
  size_ += count;
  return *this;
}

Text &Text::append(std::uint64_t value) {
  constexpr std::size_t kDigits = 20;  // decimal digits of the largest 64-bit number
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
  *this << ", value " << status.value();
  // In the status of a device_fault, limit() is the fault's detail, in most cases an address.
  if (status.code() == ErrorCode::device_fault) return *this << ", detail " << Hexadecimal{static_cast<std::uint64_t>(status.limit())};
  return *this << ", limit " << status.limit();
}

Text &Text::pad_to(std::size_t column) {
  while (size_ < std::min(column, kCapacity)) characters_[size_++] = ' ';
  return *this;
}

Text &operator<<(Text &text, Hexadecimal number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  text << "0x";
  bool leading = true;
  for (unsigned shift = 64; shift != 0;) {
    shift -= 4;
    const auto digit = static_cast<std::size_t>(number.value >> shift & 15);
    leading = leading && digit == 0 && shift != 0;
    if (!leading) text << kDigits.substr(digit, 1);
  }
  return text;
}

Text &operator<<(Text &text, Share share) {
  if (share.whole == 0) return text << "-";
  constexpr std::uint64_t kPermille = 1000;
  // Halves large numbers, so that the multiplication below cannot overflow. The printed percentage may become 0.1 smaller or larger.
  while (share.part > UINT64_MAX / kPermille) {
    share.part >>= 1;
    share.whole >>= 1;
  }
  const std::uint64_t permille = share.part * kPermille / share.whole;
  return text << permille / 10 << "." << permille % 10 << " %";
}

void print(const Text &text) {
  board::console_write(text.characters());
  constexpr std::string_view kEndOfLine = "\r\n";
  board::console_write(kEndOfLine);
}

}  // namespace cox::firmware::console
