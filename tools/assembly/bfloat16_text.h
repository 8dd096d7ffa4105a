// SPDX-License-Identifier: MIT
// BF16 numbers as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cox::tools::assembly {

/// Returns the shortest decimal number that rounds to this BF16. For infinities and NaNs, returns 0x and four digits.
[[nodiscard]] std::string bfloat16_text(std::uint16_t bits);

/// A decimal number, rounded to the nearest BF16, half to even.
struct Bfloat16Decimal {
  std::uint16_t bits = 0;
  bool stated = false;  ///< true if the text is exactly this BF16, or is what bfloat16_text() returns for it
};

/// Returns nothing if the text is not a decimal number. A number beyond the largest BF16 becomes an infinity.
[[nodiscard]] std::optional<Bfloat16Decimal> read_bfloat16(std::string_view text);

}  // namespace cox::tools::assembly
