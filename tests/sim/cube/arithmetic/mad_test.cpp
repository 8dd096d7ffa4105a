// SPDX-License-Identifier: MIT
// MAD on numbers worked out by hand. Their addresses follow from the sizes of fractals (docs/isa/cube.md, Layouts).
#include <array>
#include <cfenv>
#include <limits>
#include <span>

#include "every_path.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace cox::test {
namespace mad_test {

using namespace isa::cube;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::uint32_t kNan = 0x7FC00000;

class MadTest : public EveryPath {
 protected:
  /// Computes one element of c from k FP32 products. Fractals are 8 elements wide.
  std::uint32_t dot(std::span<const float> a, std::span<const float> b, std::uint32_t start) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      put(buffers.l0a, k / 8 * 512 + k % 8 * 4, a[k]);
      put(buffers.l0b, k / 8 * 512 + k % 8 * 4, b[k]);
    }
    put(buffers.l0c, 0, start);
    execute(Mad{.type = Type::float32, .m = 1, .k = static_cast<std::uint32_t>(a.size()), .n = 1, .start = Start::accumulator});
    return get(buffers.l0c, 0);
  }
  std::uint32_t fma(float a, float b, float start) { return dot({{a}}, {{b}}, bits_of(start)); }
  /// Computes one product of two 16-bit numbers.
  std::uint32_t product(Type type, std::uint16_t a, std::uint16_t b) {
    put(buffers.l0a, 0, a);
    put(buffers.l0b, 0, b);
    execute(Mad{.type = type, .m = 1, .k = 1, .n = 1});
    return get(buffers.l0c, 0);
  }
  /// Computes one element of c from k products. Fractals are 32 bytes or 64 nibbles wide.
  std::int32_t dot(Type type, std::uint32_t k, std::span<const std::uint8_t> a, std::span<const std::uint8_t> b, std::int32_t start) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      put(buffers.l0a, i / 32 * 512 + i % 32, a[i]);
      put(buffers.l0b, i / 32 * 512 + i % 32, b[i]);
    }
    put(buffers.l0c, 0, start);
    execute(Mad{.type = type, .m = 1, .k = k, .n = 1, .start = Start::accumulator});
    return get<std::int32_t>(buffers.l0c, 0);
  }
};

TEST_F(MadTest, FindsElementsInTheirFractals) {
  // INT8 with m = 18, k = 34, n = 20: two fractals along each dimension. Element (17, 33) of a is in the last of its four fractals, at row
  // 1, byte 1.
  put(buffers.l0a, 3 * 512 + 1 * 32 + 1, std::int8_t{3});
  // Element (33, 18) of b is in the last of its four fractals, at column 2, byte 1. Element (33, 1) is in the third fractal, because
  // fractals along n are consecutive.
  put(buffers.l0b, 3 * 512 + 2 * 32 + 1, std::int8_t{5});
  put(buffers.l0b, 2 * 512 + 1 * 32 + 1, std::int8_t{-7});
  execute(Mad{.type = Type::int8, .m = 18, .k = 34, .n = 20});
  // Element (17, 18) of c is in the last of its four fractals of 1,024 bytes, at row 1, column 2. Element (17, 1) is in the second fractal,
  // because fractals along m are consecutive.
  EXPECT_EQ(get<std::int32_t>(buffers.l0c, 3 * 1024 + (1 * 16 + 2) * 4), 15);
  EXPECT_EQ(get<std::int32_t>(buffers.l0c, 1 * 1024 + (1 * 16 + 1) * 4), -21);
}

TEST_F(MadTest, AlignsFloatsTo16AlongK) {
  // m = 17, k = n = 1. KDirectionAlign rounds k up to 16, which is two fractals of 8 columns. So row 16 of the left matrix is in the
  // third fractal. Without KDirectionAlign, it is in the second.
  put(buffers.l0a, 2 * 512, 2.0F);
  put(buffers.l0a, 1 * 512, 3.0F);
  put(buffers.l0b, 0, 10.0F);
  execute(Mad{.type = Type::float32, .m = 17, .k = 1, .n = 1, .k_align = true});
  EXPECT_EQ(get<float>(buffers.l0c, 1024), 20.0F);
  execute(Mad{.type = Type::float32, .m = 17, .k = 1, .n = 1});
  EXPECT_EQ(get<float>(buffers.l0c, 1024), 30.0F);
  // Other types ignore KDirectionAlign.
  put(buffers.l0a, 512, std::int8_t{4});
  put(buffers.l0b, 0, std::int8_t{5});
  execute(Mad{.type = Type::int8, .m = 17, .k = 1, .n = 1, .k_align = true});
  EXPECT_EQ(get<std::int32_t>(buffers.l0c, 1024), 20);
}

TEST_F(MadTest, WritesItsElementsAlone) {
  std::fill(buffers.l0c.begin(), buffers.l0c.end(), std::byte{0xA5});
  execute(Mad{.type = Type::bfloat16, .m = 17, .k = 1, .n = 18});
  for (std::uint32_t row = 0; row < 32; ++row) {
    for (std::uint32_t column = 0; column < 32; ++column) {
      const std::size_t at = (column / 16 * 2 + row / 16) * 1024 + (row % 16 * 16 + column % 16) * 4;
      ASSERT_EQ(get(buffers.l0c, at), row < 17 && column < 18 ? 0 : 0xA5A5A5A5U) << row << ", " << column;
    }
  }
  EXPECT_EQ(get(buffers.l0c, 4096), 0xA5A5A5A5U);
}

TEST_F(MadTest, OfNoElementsDoesNothing) {
  std::fill(buffers.l0c.begin(), buffers.l0c.end(), std::byte{0xA5});
  for (const Type type : {Type::bfloat16, Type::half, Type::float32, Type::int8, Type::int4}) {
    execute(Mad{.type = type, .m = 0, .k = 4, .n = 4});
    execute(Mad{.type = type, .m = 4, .k = 0, .n = 4});
    execute(Mad{.type = type, .m = 4, .k = 4, .n = 0});
  }
  EXPECT_EQ(std::count(buffers.l0c.begin(), buffers.l0c.end(), std::byte{0xA5}), std::ptrdiff_t{kL0CBytes});
}

TEST_F(MadTest, StartsFromTheBiasTable) {
  for (std::size_t i = 0; i < 256; ++i) put(buffers.bias_table, i * 4, static_cast<float>(i));
  put(buffers.l0a, 0, 1.0F);
  put(buffers.l0a, 32, 2.0F);  // row 1
  for (std::size_t column = 0; column < 20; ++column) put(buffers.l0b, column / 16 * 512 + column % 16 * 32, 1000.0F);
  // Each entry of the table holds its own number. The biases start at byte 960, which is entry 240, so column 16 wraps to entry 0. The unit
  // takes addresses modulo 1,024: the three addresses below all mean byte 960.
  for (const std::uint32_t address : {960U, 960U + 1024U, 0xFFFFFFC0U}) {
    execute(Mad{.type = Type::float32, .m = 2, .k = 1, .n = 20, .start = Start::bias_table, .bias_address = address});
    EXPECT_EQ(get<float>(buffers.l0c, 15 * 4), 1000.0F + 255.0F);
    EXPECT_EQ(get<float>(buffers.l0c, 16 * 4), 2000.0F + 240.0F);  // row 1, column 0
    EXPECT_EQ(get<float>(buffers.l0c, 1024), 1000.0F + 0.0F);      // column 16
    EXPECT_EQ(get<float>(buffers.l0c, 1024 + (16 + 3) * 4), 2000.0F + 3.0F);
  }
  put(buffers.bias_table, 64, std::int32_t{-5});
  put(buffers.l0a, 0, std::int8_t{-1});
  put(buffers.l0b, 0, std::int8_t{7});
  execute(Mad{.type = Type::int8, .m = 1, .k = 1, .n = 1, .start = Start::bias_table, .bias_address = 64});
  EXPECT_EQ(get<std::int32_t>(buffers.l0c, 0), -12);
}

TEST_F(MadTest, RoundsOnceToNearestEven) {
  EXPECT_EQ(fma(0x1p-12F, 0x1p-12F, 1.0F), 0x3F800000U);             // 1 + 2^-24 is a tie, which rounds down to even
  EXPECT_EQ(fma(0x1p-12F, 0x1p-12F, 1.0F + 0x1p-23F), 0x3F800002U);  // a tie, which rounds up to even
  EXPECT_EQ(fma(0x1.8p-12F, 0x1p-12F, 1.0F), 0x3F800001U);
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 does not fit into FP32. The result has the last term only if the product is not rounded before the
  // addition.
  EXPECT_EQ(fma(1.0F + 0x1p-12F, 1.0F + 0x1p-12F, -(1.0F + 0x1p-11F)), bits_of(0x1p-24F));
}

TEST_F(MadTest, AddsInTheOrderOfK) {
  const std::array<float, 11> ones{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  // If 2^24 comes first, each of the ten sums 2^24 + 1 is rounded to 2^24. If it comes last, the ones before it add up to 10, and
  // 2^24 + 10 is exact.
  EXPECT_EQ(dot(ones, std::array<float, 11>{0x1p24F, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 0), bits_of(0x1p24F));
  EXPECT_EQ(dot(ones, std::array<float, 11>{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0x1p24F}, 0), bits_of(0x1p24F + 10));
  // The sum begins with the start value 2^24, so each 1 is rounded away.
  EXPECT_EQ(dot(ones, ones, bits_of(0x1p24F)), bits_of(0x1p24F));
}

TEST_F(MadTest, StoresOneNan) {
  const float quiet = std::bit_cast<float>(0xFFC12345U), signalling = std::bit_cast<float>(0x7F800001U);
  for (const float nan : {quiet, signalling}) {
    EXPECT_EQ(fma(nan, 1, 1), kNan);
    EXPECT_EQ(fma(1, nan, 1), kNan);
    EXPECT_EQ(fma(1, 1, nan), kNan);
  }
  EXPECT_EQ(fma(kInfinity, 1, -kInfinity), kNan);
  EXPECT_EQ(fma(-kInfinity, 0, 1), kNan);
  EXPECT_EQ(fma(kInfinity, -2, 1), 0xFF800000U);
  EXPECT_EQ(fma(3e38F, 2, 0), 0x7F800000U);
  EXPECT_EQ(fma(3e38F, 2, -kInfinity), 0xFF800000U);
  EXPECT_EQ(product(Type::bfloat16, 0x7F81, 0x3F80), kNan);
  EXPECT_EQ(product(Type::bfloat16, 0x7F80, 0x0000), kNan);
  EXPECT_EQ(product(Type::half, 0x7C01, 0x3C00), kNan);
  EXPECT_EQ(product(Type::half, 0x7C00, 0xC000), 0xFF800000U);
}

TEST_F(MadTest, KeepsSubnormals) {
  const auto least = std::bit_cast<float>(1U), largest = std::bit_cast<float>(0x007FFFFFU);
  EXPECT_EQ(fma(least, 1, 0), 1U);
  EXPECT_EQ(fma(largest, 1, least), 0x00800000U);
  EXPECT_EQ(fma(0x1p-75F, 0x1p-74F, 0), 1U);
  EXPECT_EQ(fma(0x1p-75F, 0x1p-75F, 0), 0U);  // half of the smallest subnormal: a tie, which becomes 0
  EXPECT_EQ(fma(0x1.8p-75F, 0x1p-75F, 0), 1U);
  EXPECT_EQ(fma(-0x1p-100F, 0x1p-100F, 0), 0x80000000U);  // rounds to 0, but keeps its sign
}

TEST_F(MadTest, WidensExactly) {
  EXPECT_EQ(product(Type::bfloat16, 0x0001, 0x3F80), 0x00010000U);  // subnormal in BF16 and in FP32
  EXPECT_EQ(product(Type::bfloat16, 0x8001, 0x4000), 0x80020000U);
  EXPECT_EQ(product(Type::bfloat16, 0xC049, 0x3F80), 0xC0490000U);
  EXPECT_EQ(product(Type::half, 0x0001, 0x3C00), bits_of(0x1p-24F));  // subnormal only in FP16
  EXPECT_EQ(product(Type::half, 0x83FF, 0x3C00), bits_of(-0x1.ff8p-15F));
  EXPECT_EQ(product(Type::half, 0x7BFF, 0x7BFF), bits_of(65504.0F * 65504.0F));
  EXPECT_EQ(product(Type::half, 0xC200, 0x3800), bits_of(-1.5F));
}

TEST_F(MadTest, KeepsSignsOfZero) {
  EXPECT_EQ(fma(-0.0F, 1, 0.0F), 0U);
  EXPECT_EQ(fma(-0.0F, 1, -0.0F), 0x80000000U);
  EXPECT_EQ(fma(1, 1, -1), 0U);
  // A sum without a start value begins with +0.
  put(buffers.l0a, 0, -0.0F);
  put(buffers.l0b, 0, 1.0F);
  execute(Mad{.type = Type::float32, .m = 1, .k = 1, .n = 1});
  EXPECT_EQ(get(buffers.l0c, 0), 0U);
}

TEST_F(MadTest, DoesNotDependOnTheCallersFloatingPoint) {
#if defined(__SSE__)
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, treat subnormals as zeros
  std::fesetround(FE_UPWARD);
  const unsigned own = _mm_getcsr();
  const std::uint32_t subnormal = fma(std::bit_cast<float>(3U), 1, 0), tie = fma(0x1p-12F, 0x1p-12F, 1.0F);
  const unsigned after = _mm_getcsr();
  std::fesetround(FE_TONEAREST);
  _mm_setcsr(before);
  EXPECT_EQ(subnormal, 3U);
  EXPECT_EQ(tie, 0x3F800000U);
  EXPECT_EQ(after & ~0x3FU, own & ~0x3FU);  // all bits except the exception flags
#else
  GTEST_SKIP() << "no flag for subnormals";
#endif
}

TEST_F(MadTest, AddsIntegersModulo32Bits) {
  EXPECT_EQ(dot(Type::int8, 1, {{0x01}}, {{0x01}}, std::numeric_limits<std::int32_t>::max()), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(dot(Type::int8, 1, {{0xFF}}, {{0x01}}, std::numeric_limits<std::int32_t>::min()), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(dot(Type::int4, 2, {{0x01}}, {{0x01}}, std::numeric_limits<std::int32_t>::max()), std::numeric_limits<std::int32_t>::min());
}

TEST_F(MadTest, AddsTheLargestProductsOfBytes) {
  const std::vector<std::uint8_t> lowest(4095, 0x80), highest(4095, 0x7F);
  EXPECT_EQ(dot(Type::int8, 4095, lowest, lowest, 0), 4095 * 16384);
  EXPECT_EQ(dot(Type::int8, 4095, lowest, highest, 0), 4095 * -16256);
  EXPECT_EQ(dot(Type::int8, 4095, highest, lowest, 0), 4095 * -16256);
  EXPECT_EQ(dot(Type::int8, 4094, highest, highest, 1), 4094 * 16129 + 1);
  // k ends inside a word of four bytes. The unit must not add the last three bytes of that word.
  EXPECT_EQ(dot(Type::int8, 4093, lowest, highest, 0), 4093 * -16256);
}

TEST_F(MadTest, TakesTheLowNibbleFirst) {
  // a: 1, 2, -3, -8. b: 3, 1, 7, -8.
  EXPECT_EQ(dot(Type::int4, 2, {{0x21, 0x8D}}, {{0x13, 0x87}}, 0), 3 + 2);
  EXPECT_EQ(dot(Type::int4, 4, {{0x21, 0x8D}}, {{0x13, 0x87}}, 0), 3 + 2 - 21 + 64);
  EXPECT_EQ(dot(Type::int4, 4, {{0x21, 0x8D}}, {{0x31, 0x78}}, 0), 1 + 6 + 24 - 56);
  const std::vector<std::uint8_t> lowest(2047, 0x88), highest(2047, 0x77);
  EXPECT_EQ(dot(Type::int4, 4094, lowest, lowest, 0), 4094 * 64);
  EXPECT_EQ(dot(Type::int4, 4094, highest, lowest, 0), 4094 * -56);
}

}  // namespace mad_test
}  // namespace cox::test
