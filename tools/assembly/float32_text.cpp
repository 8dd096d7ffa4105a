// SPDX-License-Identifier: MIT
#include "tools/assembly/float32_text.h"

#include <bit>
#include <charconv>
#include <cmath>

namespace cox::tools::assembly {

std::string float32_text(std::uint32_t bits) {
  const auto value = std::bit_cast<float>(bits);
  char buffer[32];
  if (std::isfinite(value)) return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
  constexpr const char *kDigits = "0123456789ABCDEF";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[bits >> shift & 0xF];
  return text;
}

std::optional<Float32Decimal> read_float32(std::string_view text) {
  if (text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;  // refuses inf and nan
  float number = 0;
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  return Float32Decimal{std::bit_cast<std::uint32_t>(number), error == std::errc{}};
}

}  // namespace cox::tools::assembly
