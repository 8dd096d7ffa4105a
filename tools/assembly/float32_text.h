// SPDX-License-Identifier: MIT
// FP32 numbers as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cox::tools::assembly {

/// Returns the shortest decimal number that rounds to this FP32. For infinities and NaNs, returns 0x and eight digits.
[[nodiscard]] std::string float32_text(std::uint32_t bits);

/// A decimal number as the nearest FP32, half to even.
struct Float32Decimal {
  std::uint32_t bits = 0;
  bool in_range = true;  ///< false: the number is beyond the largest FP32, or so small that it would become 0
};

/// Returns nothing if the text is not a decimal number.
[[nodiscard]] std::optional<Float32Decimal> read_float32(std::string_view text);

}  // namespace cox::tools::assembly
