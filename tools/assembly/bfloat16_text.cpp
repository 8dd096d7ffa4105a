// SPDX-License-Identifier: MIT
#include "tools/assembly/bfloat16_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "coxswain/isa/numbers/bfloat16.h"

namespace cox::tools::assembly {
namespace {

constexpr int kMostDigits = 4;  // decimal digits; enough to distinguish any two BF16 numbers, which have 8 significant bits
constexpr std::uint16_t kInfinity = 0x7F80;

/// Rounds to BF16 as if in one step. Two steps, first to FP32 and then to BF16, could give a wrong result. The first step could move a
/// number to exactly the middle between two BF16 numbers, and the second step could then round it to the wrong side.
std::uint16_t round_to_bfloat16(double number) {
  constexpr std::uint32_t kDropped = 0xFFFF, kHalfway = 0x8000;
  auto single = static_cast<float>(number);
  const double error = number - static_cast<double>(single);
  if (std::isfinite(single) && error != 0 && (std::bit_cast<std::uint32_t>(single) & kDropped) == kHalfway) {
    constexpr float kEnd = std::numeric_limits<float>::infinity();
    single = std::nextafter(single, error > 0 ? kEnd : -kEnd);
  }
  return isa::numbers::bfloat16_from_float(single);
}

std::optional<double> read_decimal(std::string_view text) {
  const std::string_view unsigned_text = text.substr(text.starts_with('-') ? 1 : 0);
  if (unsigned_text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;  // refuses inf and nan
  double number = 0;
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc{}) return number;
  // The number is out of the range of a double. from_chars does not say whether it is too large or too small; the sign of the exponent
  // does.
  const bool small = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
  const double magnitude = small ? std::numeric_limits<double>::denorm_min() : std::numeric_limits<double>::max();
  return text.starts_with('-') ? -magnitude : magnitude;
}

std::string hexadecimal(std::uint16_t bits) {
  constexpr const char *kDigits = "0123456789ABCDEF";
  std::string text = "0x";
  for (int shift = 12; shift >= 0; shift -= 4) text += kDigits[bits >> shift & 0xF];
  return text;
}

}  // namespace

std::string bfloat16_text(std::uint16_t bits) {
  const double value = isa::numbers::bfloat16_to_float(bits);
  if (!std::isfinite(value)) return hexadecimal(bits);
  for (int digits = 1; digits <= kMostDigits; ++digits) {
    char buffer[32];
    const std::to_chars_result written = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
    const std::string_view text(buffer, static_cast<std::size_t>(written.ptr - buffer));
    const std::optional<double> read = read_decimal(text);
    if (read.has_value() && round_to_bfloat16(*read) == bits) return std::string(text);
  }
  return hexadecimal(bits);
}

std::optional<Bfloat16Decimal> read_bfloat16(std::string_view text) {
  const std::optional<double> number = read_decimal(text);
  if (!number.has_value()) return std::nullopt;
  Bfloat16Decimal result;
  result.bits = round_to_bfloat16(*number);
  if ((result.bits & kInfinity) == kInfinity) return result;
  const auto value = static_cast<double>(isa::numbers::bfloat16_to_float(result.bits));
  result.stated = *number == value || read_decimal(bfloat16_text(result.bits)) == number;
  return result;
}

}  // namespace cox::tools::assembly
