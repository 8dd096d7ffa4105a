// SPDX-License-Identifier: MIT
// Writes and reads all 65,536 BF16 numbers. Compares the rounding of decimals with the C library's.
#include "tools/assembly/bfloat16_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace cox::tools::assembly {
namespace {

double value_of(unsigned bits) { return static_cast<double>(std::bit_cast<float>(bits << 16)); }

/// Returns the number of digits of a decimal number, without leading and trailing zeros.
std::size_t digits_of(const std::string &text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e'))) {
    if (c >= '0' && c <= '9' && !(digits.empty() && c == '0')) digits += c;
  }
  if (text.find('.') == std::string::npos) digits.erase(digits.find_last_not_of('0') + 1);
  return digits.size();
}

/// Returns true if `number`, which the C library has read, rounds to the BF16 `bits` (to nearest, ties to even).
bool nearest_to(double number, unsigned bits) {
  if (std::signbit(number) != ((bits & 0x8000U) != 0)) return false;
  const double magnitude = std::fabs(number);
  const unsigned positive = bits & 0x7FFFU;
  const double value = value_of(positive);
  const double above = positive == 0x7F7F ? std::ldexp(1.0, 128) : value_of(positive + 1);
  if (magnitude > (value + above) / 2 || (magnitude == (value + above) / 2 && (bits & 1U) != 0)) return false;
  if (positive == 0) return true;
  const double below = value_of(positive - 1);
  return magnitude > (value + below) / 2 || (magnitude == (value + below) / 2 && (bits & 1U) == 0);
}

TEST(Bfloat16Text, AllOfThem) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const std::string text = bfloat16_text(static_cast<std::uint16_t>(bits));
    SCOPED_TRACE(text);
    if ((bits & 0x7F80U) == 0x7F80U) {
      char expected[16];
      std::snprintf(expected, sizeof expected, "0x%04X", bits);
      ASSERT_EQ(text, expected);
      continue;
    }
    char *end = nullptr;
    ASSERT_TRUE(nearest_to(std::strtod(text.c_str(), &end), bits));
    ASSERT_EQ(*end, '\0');
    const std::optional<Bfloat16Decimal> read = read_bfloat16(text);
    ASSERT_TRUE(read.has_value());
    ASSERT_EQ(read->bits, bits);
    ASSERT_TRUE(read->stated);
    // If the text had one digit less, it would denote a neighbouring BF16 number.
    const std::size_t digits = digits_of(text);
    if (digits < 2) continue;
    char shorter[400];
    std::snprintf(shorter, sizeof shorter, "%.*g", static_cast<int>(digits) - 1, value_of(bits));
    ASSERT_FALSE(nearest_to(std::strtod(shorter, nullptr), bits)) << shorter;
  }
}

TEST(Bfloat16Text, ByHand) {
  EXPECT_EQ(bfloat16_text(0x3F80), "1");
  EXPECT_EQ(bfloat16_text(0xBF00), "-0.5");
  EXPECT_EQ(bfloat16_text(0x0000), "0");
  EXPECT_EQ(bfloat16_text(0x8000), "-0");
  EXPECT_EQ(bfloat16_text(0x3DCD), "0.1");
  EXPECT_EQ(bfloat16_text(0x3E2B), "0.167");
  EXPECT_EQ(bfloat16_text(0x7F7F), "3.39e+38");
}

TEST(Bfloat16Text, HalfwayGoesToEvenAndNearlyHalfwayDoesNot) {
  // 1 + 2^-8 lies halfway between 0x3F80 and 0x3F81.
  EXPECT_EQ(read_bfloat16("1.00390625")->bits, 0x3F80);
  EXPECT_EQ(read_bfloat16("1.0039062500001")->bits, 0x3F81);  // FP32 would round this to the halfway point
  EXPECT_EQ(read_bfloat16("1.01171875")->bits, 0x3F82);       // 1 + 3 * 2^-8
  EXPECT_EQ(read_bfloat16("1.0117187499999")->bits, 0x3F81);
  EXPECT_FALSE(read_bfloat16("1.00390625")->stated);
}

TEST(Bfloat16Text, WhatIsNoNumber) {
  for (const char *text : {"", "-", ".", "e", "one", "inf", "-nan", "1 ", " 1", "1,5", "0x10", "1-", "+1"}) {
    EXPECT_FALSE(read_bfloat16(text).has_value()) << text;
  }
}

TEST(Bfloat16Text, BeyondItsRange) {
  EXPECT_EQ(read_bfloat16("1e39")->bits, 0x7F80);
  EXPECT_EQ(read_bfloat16("-1e400")->bits, 0xFF80);
  EXPECT_EQ(read_bfloat16("1e-400")->bits, 0x0000);
  EXPECT_FALSE(read_bfloat16("1e-400")->stated);
}

}  // namespace
}  // namespace cox::tools::assembly
