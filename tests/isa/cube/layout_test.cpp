// SPDX-License-Identifier: MIT
// Positions of elements, worked out by hand from docs/isa/cube.md, Layouts. A fractal has 512 bytes. In L0C it has 1,024 bytes.
#include "coxswain/isa/cube/layout.h"

#include <gtest/gtest.h>

namespace cox::isa::cube {
namespace {

constexpr Type kBf16 = Type::bfloat16, kHalf = Type::half, kFloat = Type::float32, kInt8 = Type::int8, kInt4 = Type::int4;

TEST(Layout, Elements) {
  const struct {
    Type type;
    std::uint32_t bits, width;
  } kTypes[] = {{kBf16, 16, 16}, {kHalf, 16, 16}, {kFloat, 32, 8}, {kInt8, 8, 32}, {kInt4, 4, 64}};
  for (const auto &one : kTypes) {
    EXPECT_EQ(element_bits(one.type), one.bits);
    EXPECT_EQ(fractal_width(one.type), one.width);
  }
  EXPECT_TRUE(is_integer(kInt8) && is_integer(kInt4));
  EXPECT_FALSE(is_integer(kBf16) || is_integer(kHalf) || is_integer(kFloat));
  EXPECT_EQ(packed_bytes(5, kFloat), 20U);
  EXPECT_EQ(packed_bytes(5, kHalf), 10U);
  EXPECT_EQ(packed_bytes(5, kInt8), 5U);
  EXPECT_EQ(packed_bytes(5, kInt4), 3U);
  EXPECT_EQ(packed_bytes(0x20000001, kFloat), 0x80000004U);
}

TEST(Layout, FractalsOfK) {
  const struct {
    Type type;
    std::uint32_t k;
    bool align;
    std::uint32_t count;
  } kCases[] = {
      {kBf16, 0, false, 0},
      {kBf16, 1, false, 1},
      {kBf16, 16, false, 1},
      {kBf16, 17, false, 2},
      {kBf16, 4095, false, 256},
      {kHalf, 33, false, 3},
      {kInt8, 32, false, 1},
      {kInt8, 33, false, 2},
      {kInt8, 4095, false, 128},
      {kInt4, 64, false, 1},
      {kInt4, 66, false, 2},
      {kInt4, 4094, false, 64},
      {kFloat, 1, false, 1},
      {kFloat, 8, false, 1},
      {kFloat, 9, false, 2},
      {kFloat, 17, false, 3},
      {kFloat, 4095, false, 512},
      // With `align`, k is rounded up to a multiple of 16. A fractal of FP32 has 8 elements along k, so the number of fractals is even.
      {kFloat, 0, true, 0},
      {kFloat, 1, true, 2},
      {kFloat, 16, true, 2},
      {kFloat, 17, true, 4},
      {kFloat, 4095, true, 512},
      // Other types ignore `align`.
      {kBf16, 1, true, 1},
      {kHalf, 1, true, 1},
      {kInt8, 1, true, 1},
      {kInt4, 2, true, 1},
  };
  for (const auto &one : kCases) EXPECT_EQ(k_fractals(one.k, one.type, one.align), one.count) << one.k << " " << one.align;
}

TEST(Layout, L0ASmallZInBigZ) {
  EXPECT_EQ(l0a_bit(0, 0, kBf16, 4), 0U);
  // Element (17, 35) of BF16: 17 = 1 * 16 + 1, and 35 = 2 * 16 + 3.
  // With 4 fractals along k, it is in fractal 1 * 4 + 2 = 6. There it is in row 1, at index 3 of the row.
  EXPECT_EQ(l0a_bit(17, 35, kBf16, 4), 8U * (6 * 512 + 1 * 32 + 3 * 2));
  EXPECT_EQ(l0a_bit(17, 35, kHalf, 4), 8U * (6 * 512 + 1 * 32 + 3 * 2));
  // FP32: a fractal has 8 elements along k, and 35 = 4 * 8 + 3. With 7 fractals along k, the element is in fractal 1 * 7 + 4, at index 3.
  EXPECT_EQ(l0a_bit(17, 35, kFloat, 7), 8U * ((7 + 4) * 512 + 32 + 3 * 4));
  EXPECT_EQ(l0a_bit(17, 35, kInt8, 2), 8U * ((2 + 1) * 512 + 32 + 3));
  // INT4: the element with even k is in the low nibble.
  EXPECT_EQ(l0a_bit(17, 34, kInt4, 1), 8U * (512 + 32 + 17));
  EXPECT_EQ(l0a_bit(17, 35, kInt4, 1), 8U * (512 + 32 + 17) + 4);
}

TEST(Layout, L0BSmallNInBigZ) {
  EXPECT_EQ(l0b_bit(0, 0, kBf16, 3), 0U);
  // Element (k 35, n 17) of BF16: 35 = 2 * 16 + 3, and 17 = 1 * 16 + 1. A column of a fractal has 32 bytes along k.
  // With 3 fractals along n, the element is in fractal 2 * 3 + 1 = 7. There it is in column 1, at index 3 of the column.
  EXPECT_EQ(l0b_bit(35, 17, kBf16, 3), 8U * (7 * 512 + 1 * 32 + 3 * 2));
  EXPECT_EQ(l0b_bit(35, 17, kHalf, 3), 8U * (7 * 512 + 1 * 32 + 3 * 2));
  EXPECT_EQ(l0b_bit(35, 17, kFloat, 3), 8U * ((4 * 3 + 1) * 512 + 32 + 3 * 4));
  EXPECT_EQ(l0b_bit(35, 17, kInt8, 3), 8U * ((1 * 3 + 1) * 512 + 32 + 3));
  EXPECT_EQ(l0b_bit(35, 17, kInt4, 3), 8U * (1 * 512 + 32 + 17) + 4);
}

TEST(Layout, L0CSmallZInBigN) {
  EXPECT_EQ(l0c_byte(0, 0, 4), 0U);
  // Element (17, 35): 17 = 1 * 16 + 1, and 35 = 2 * 16 + 3. With 4 fractals per column, it is in fractal 2 * 4 + 1 = 9, row 1, column 3.
  EXPECT_EQ(l0c_byte(17, 35, 4), 9U * 1024 + 1 * 64 + 3 * 4);
  EXPECT_EQ(l0c_byte(15, 15, 4), 1020U);
  EXPECT_EQ(l0c_byte(16, 0, 4), 1024U);
  EXPECT_EQ(l0c_byte(0, 16, 4), 4096U);
}

TEST(Layout, L1SmallZInBigN) {
  // Element (17, 35) of 2 bytes: 17 = 1 * 16 + 1, and 35 = 2 * 16 + 3.
  // With 5 fractals per column, it is in fractal 2 * 5 + 1 = 11. There it is in row 1, at index 3.
  EXPECT_EQ(l1_bit(17, 35, 16, 5), 8U * (11 * 512 + 32 + 6));
  EXPECT_EQ(l1_bit(17, 35, 32, 5), 8U * ((4 * 5 + 1) * 512 + 32 + 12));
  EXPECT_EQ(l1_bit(17, 35, 8, 5), 8U * ((1 * 5 + 1) * 512 + 32 + 3));
  EXPECT_EQ(l1_bit(17, 35, 4, 5), 8U * (1 * 512 + 32 + 17) + 4);
}

}  // namespace
}  // namespace cox::isa::cube
