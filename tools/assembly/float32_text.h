// SPDX-License-Identifier: MIT
// FP32 numbers as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cox::tools::assembly {

/// The shortest decimal number that gives these bits back; 0x and eight digits for infinities and NaNs.
[[nodiscard]] std::string float32_text(std::uint32_t bits);

/// A decimal number as the nearest FP32, half to even.
struct Float32Decimal {
  std::uint32_t bits = 0;
  bool in_range = true;  ///< else beyond the largest FP32, or so small that it would be 0
};

/// Nothing where the text is no decimal number.
[[nodiscard]] std::optional<Float32Decimal> read_float32(std::string_view text);

}  // namespace cox::tools::assembly
