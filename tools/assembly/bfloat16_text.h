// SPDX-License-Identifier: MIT
// BF16 numbers as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cox::tools::assembly {

/// The decimal number with the fewest digits that is nearest to that BF16 and to no other; 0x and four digits for infinities and NaNs.
[[nodiscard]] std::string bfloat16_text(std::uint16_t bits);

/// A decimal number, rounded to the nearest BF16, half to even.
struct Bfloat16Decimal {
  std::uint16_t bits = 0;
  bool stated = false;  ///< the number is that BF16 exactly, or what bfloat16_text() writes for it
};

/// Nothing where the text is no decimal number. What is beyond the largest BF16 becomes an infinity.
[[nodiscard]] std::optional<Bfloat16Decimal> read_bfloat16(std::string_view text);

}  // namespace cox::tools::assembly
