// SPDX-License-Identifier: MIT
// The output of L0C: scaling, residual, bias, activation and conversion on numbers worked out by hand.
#include <array>
#include <limits>
#include <span>

#include "every_path.h"

namespace cox::test {
namespace output_test {

using namespace isa::cube;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class OutputTest : public EveryPath {
 protected:
  /// Converts one FP32 accumulator.
  template <typename Result>
  Result of(OutputType to, float accumulator, const OutputConfiguration &configuration = {}) {
    return one<Result>(to, false, accumulator, configuration);
  }
  /// Converts one INT32 accumulator.
  template <typename Result>
  Result of_integer(OutputType to, std::int32_t accumulator, const OutputConfiguration &configuration = {}) {
    return one<Result>(to, true, accumulator, configuration);
  }
  std::uint32_t word(float accumulator, const OutputConfiguration &configuration = {}) {
    return of<std::uint32_t>(OutputType::float32, accumulator, configuration);
  }
  std::uint16_t half(float accumulator) { return of<std::uint16_t>(OutputType::half, accumulator); }
  std::uint16_t bfloat16(float accumulator) { return of<std::uint16_t>(OutputType::bfloat16, accumulator); }
  int int8(float accumulator, std::int32_t zero_point = 0) {
    return of<std::int8_t>(OutputType::int8, accumulator, {.zero_point = zero_point});
  }
  static float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

 private:
  template <typename Result, typename Accumulator>
  Result one(OutputType to, bool integer, Accumulator accumulator, const OutputConfiguration &configuration) {
    put(buffers.l0c, 0, accumulator);
    Result result{};
    execute(Output{.configuration = configuration, .integer = integer, .to = to}, std::as_writable_bytes(std::span(&result, 1)));
    return result;
  }
};

TEST_F(OutputTest, RoundsToBfloat16) {
  EXPECT_EQ(bfloat16(from_bits(0x3F808000)), 0x3F80);  // a tie, which rounds down to even
  EXPECT_EQ(bfloat16(from_bits(0x3F818000)), 0x3F82);  // a tie, which rounds up to even
  EXPECT_EQ(bfloat16(from_bits(0x3F808001)), 0x3F81);
  EXPECT_EQ(bfloat16(from_bits(0x00018000)), 0x0002);  // subnormals
  EXPECT_EQ(bfloat16(from_bits(0x80007FFF)), 0x8000);
  EXPECT_EQ(bfloat16(from_bits(0x007FFFFF)), 0x0080);
  EXPECT_EQ(bfloat16(from_bits(0x7F7F7FFF)), 0x7F7F);
  EXPECT_EQ(bfloat16(from_bits(0x7F7F8000)), 0x7F80);  // overflows
  EXPECT_EQ(bfloat16(-std::numeric_limits<float>::max()), 0xFF80);
  EXPECT_EQ(bfloat16(-kInfinity), 0xFF80);
  EXPECT_EQ(bfloat16(from_bits(0xFF800001)), 0x7FC0);
  EXPECT_EQ(bfloat16(from_bits(0x7FFFFFFF)), 0x7FC0);
  EXPECT_EQ(bfloat16(-0.0F), 0x8000);
}

TEST_F(OutputTest, RoundsToHalf) {
  EXPECT_EQ(half(1.0F + 0x1p-11F), 0x3C00);
  EXPECT_EQ(half(1.0F + 0x1.8p-10F), 0x3C02);
  EXPECT_EQ(half(0x1p-25F), 0x0000);  // half of the smallest subnormal: a tie, which becomes 0
  EXPECT_EQ(half(0x1.8p-24F), 0x0002);
  EXPECT_EQ(half(-0x1.000002p-25F), 0x8001);
  EXPECT_EQ(half(0x1.ffcp-15F), 0x0400);  // the largest subnormal plus half a unit
  EXPECT_EQ(half(65519.996F), 0x7BFF);
  EXPECT_EQ(half(65520.0F), 0x7C00);
  EXPECT_EQ(half(-1e30F), 0xFC00);
  EXPECT_EQ(half(from_bits(0xFFC12345)), 0x7E00);
  EXPECT_EQ(half(-0.0F), 0x8000);
}

TEST_F(OutputTest, RoundsToBytesAndSaturates) {
  EXPECT_EQ(int8(0.5F), 0);
  EXPECT_EQ(int8(1.5F), 2);
  EXPECT_EQ(int8(-0.5F), 0);
  EXPECT_EQ(int8(-2.5F), -2);
  EXPECT_EQ(int8(-3.5F), -4);
  EXPECT_EQ(int8(0x1.000002p-1F), 1);
  EXPECT_EQ(int8(127.4F), 127);
  EXPECT_EQ(int8(127.5F), 127);
  EXPECT_EQ(int8(-128.5F), -128);
  EXPECT_EQ(int8(-129.0F), -128);
  EXPECT_EQ(int8(1e30F), 127);
  EXPECT_EQ(int8(-kInfinity), -128);
  // The value is saturated once, after the zero point is added.
  EXPECT_EQ(int8(200, -100), 100);
  EXPECT_EQ(int8(-255, 127), -128);
  EXPECT_EQ(int8(-254, 127), -127);
  EXPECT_EQ(int8(255, -128), 127);
  EXPECT_EQ(int8(254, -128), 126);
  EXPECT_EQ(int8(kInfinity, -128), 127);
  EXPECT_EQ(int8(-3e38F, 127), -128);
  EXPECT_EQ(int8(kNan), 0);
  EXPECT_EQ(int8(-kNan, 5), 5);  // NaN becomes 0, then the zero point is added
}

TEST_F(OutputTest, StoresOneNan) {
  EXPECT_EQ(word(from_bits(0xFFC12345)), 0x7FC00000U);
  EXPECT_EQ(word(from_bits(0x7F800001)), 0x7FC00000U);
  EXPECT_EQ(word(from_bits(0x80000001)), 0x80000001U);
  EXPECT_EQ(word(kInfinity, {.scale_mode = ScaleMode::tensor, .scale = 0}), 0x7FC00000U);
}

TEST_F(OutputTest, Activates) {
  const OutputConfiguration relu{.activation = Activation::ReLU};
  EXPECT_EQ(word(-1, relu), 0U);
  EXPECT_EQ(word(-0.0F, relu), 0x80000000U);
  EXPECT_EQ(word(2, relu), bits_of(2));
  EXPECT_EQ(word(-kInfinity, relu), 0U);
  EXPECT_EQ(word(kInfinity, relu), bits_of(kInfinity));
  EXPECT_EQ(word(-kNan, relu), 0x7FC00000U);
  const OutputConfiguration leaky{.activation = Activation::LeakyReLU, .activation_parameter = 0.25F};
  EXPECT_EQ(word(-2, leaky), bits_of(-0.5F));
  EXPECT_EQ(word(2, leaky), bits_of(2));
  EXPECT_EQ(word(-0.0F, leaky), 0x80000000U);
  EXPECT_EQ(word(-kInfinity, leaky), bits_of(-kInfinity));
  EXPECT_EQ(word(kNan, leaky), 0x7FC00000U);
  EXPECT_EQ(word(-kInfinity, {.activation = Activation::LeakyReLU, .activation_parameter = 0}), 0x7FC00000U);
  EXPECT_EQ(word(-1, {.activation = Activation::LeakyReLU, .activation_parameter = 0}), 0x80000000U);
  const OutputConfiguration clip{.activation = Activation::Clip, .activation_parameter = 6};
  EXPECT_EQ(word(-3, clip), 0U);
  EXPECT_EQ(word(-0.0F, clip), 0x80000000U);
  EXPECT_EQ(word(5.5F, clip), bits_of(5.5F));
  EXPECT_EQ(word(7, clip), bits_of(6));
  EXPECT_EQ(word(kInfinity, clip), bits_of(6));
  EXPECT_EQ(word(kNan, clip), 0x7FC00000U);
  EXPECT_EQ(word(-1, {.activation = Activation::Clip, .activation_parameter = -2}), bits_of(-2));
  // ReLU changes -3 to 0, then the conversion adds the zero point 4. If the zero point were added first, the result would be -3 + 4 = 1.
  EXPECT_EQ(of<std::int8_t>(OutputType::int8, -3, {.activation = Activation::ReLU, .zero_point = 4}), 4);
}

TEST_F(OutputTest, ScalesAddsResidualAndBiasInThatOrder) {
  put(buffers.l1, 4096, 0x1p24F);  // the bias
  put(buffers.l1, 8192, 1.0F);     // the residual
  OutputConfiguration set{.scale_mode = ScaleMode::tensor, .scale = 0.5F, .beta = 3, .bias = true, .bias_address = 4096, .residual = true};
  put(buffers.l0c, 0, -0x1p25F);
  float result = 0;
  execute(Output{.configuration = set, .residual_address = 8192}, std::as_writable_bytes(std::span(&result, 1)));
  // The scaled accumulator is -2^24, and the residual adds 3. That sum is exact, and adding the bias 2^24 gives 3.
  EXPECT_EQ(result, 3);
  put(buffers.l1, 4096, -1.0F);
  put(buffers.l0c, 0, 0x1p25F);
  execute(Output{.configuration = set, .residual_address = 8192}, std::as_writable_bytes(std::span(&result, 1)));
  // Adding the residual 3 to 2^24 gives 2^24 + 3, which rounds to 2^24 + 4. Adding the bias -1 gives 2^24 + 3, which rounds to 2^24 + 4
  // again. If the bias came first, the result would be 2^24 - 1 + 3 = 2^24 + 2.
  EXPECT_EQ(result, 0x1p24F + 4);
  // The product of beta and the residual is not rounded before it is added, so its last bit, 2^-24, remains.
  set = {.beta = 1.0F + 0x1p-12F, .residual = true};
  put(buffers.l1, 8192, 1.0F + 0x1p-12F);
  put(buffers.l0c, 0, -(1.0F + 0x1p-11F));
  execute(Output{.configuration = set, .residual_address = 8192}, std::as_writable_bytes(std::span(&result, 1)));
  EXPECT_EQ(result, 0x1p-24F);
  // The product with the factor is rounded before the bias is added, so its last bit is lost.
  set = {.scale_mode = ScaleMode::tensor, .scale = 1.0F + 0x1p-12F, .bias = true, .bias_address = 4096};
  put(buffers.l1, 4096, -(1.0F + 0x1p-11F));
  put(buffers.l0c, 0, 1.0F + 0x1p-12F);
  execute(Output{.configuration = set}, std::as_writable_bytes(std::span(&result, 1)));
  EXPECT_EQ(result, 0);
}

TEST_F(OutputTest, TakesFactorsAndBiasesByChannel) {
  for (std::size_t channel = 0; channel < 40; ++channel) {
    put(buffers.l1, 4 + channel * 4, static_cast<float>(channel));  // the factors do not start at a cache line
    put(buffers.l1, 4096 + channel * 4, 100.0F * static_cast<float>(channel));
  }
  for (std::size_t column = 0; column < 18; ++column) put(buffers.l0c, column / 16 * 1024 + 64 + column % 16 * 4, 2.0F);  // row 1
  const OutputConfiguration set{.scale_mode = ScaleMode::channel, .scale_address = 4, .bias = true, .bias_address = 4096};
  std::array<float, 40> results{};
  execute(Output{.configuration = set, .destination_pitch = 80, .rows = 2, .columns = 18, .channel = 20},
          std::as_writable_bytes(std::span(results)));
  EXPECT_EQ(results[0], 2000);
  EXPECT_EQ(results[20 + 0], 2 * 20 + 2000);
  EXPECT_EQ(results[20 + 17], 2 * 37 + 3700);
  EXPECT_EQ(results[18], 0);  // the gap between the rows
}

TEST_F(OutputTest, WidensResiduals) {
  const OutputConfiguration set{.beta = 2, .residual = true, .residual_pitch = 6};
  put(buffers.l0c, 64, 1.0F);  // row 1
  std::array<std::uint16_t, 2> words{};
  put(buffers.l1, 1006, std::uint16_t{0x4040});  // 3 as BF16
  execute(Output{.configuration = set, .destination_pitch = 2, .to = OutputType::bfloat16, .rows = 2, .residual_address = 1000},
          std::as_writable_bytes(std::span(words)));
  EXPECT_EQ(words[1], 0x40E0);
  put(buffers.l1, 1006, std::uint16_t{0xC200});  // -3 as FP16
  execute(Output{.configuration = set, .destination_pitch = 2, .to = OutputType::half, .rows = 2, .residual_address = 1000},
          std::as_writable_bytes(std::span(words)));
  EXPECT_EQ(words[1], 0xC500);
  std::array<std::int8_t, 2> bytes{};
  put(buffers.l1, 1006, std::int8_t{-100});
  put(buffers.l0c, 64, 90.0F);
  execute(Output{.configuration = set, .destination_pitch = 1, .to = OutputType::int8, .rows = 2, .residual_address = 1000},
          std::as_writable_bytes(std::span(bytes)));
  EXPECT_EQ(bytes[1], -110);
}

TEST_F(OutputTest, RowsBeginAtAnyByte) {
  // The rows begin at odd addresses, so a sanitizer reports any access that assumes aligned numbers.
  put(buffers.l0c, 0, 1.0F);
  const OutputConfiguration set{.beta = 2, .residual = true};
  Output op{.configuration = set, .to_l1 = true, .destination = 2001, .residual_address = 1001};
  op.to = OutputType::bfloat16;
  put(buffers.l1, 1001, std::uint16_t{0x4040});  // 3 as BF16
  execute(op);
  EXPECT_EQ(get<std::uint16_t>(buffers.l1, 2001), 0x40E0);
  op.to = OutputType::half;
  put(buffers.l1, 1001, std::uint16_t{0x4200});
  execute(op);
  EXPECT_EQ(get<std::uint16_t>(buffers.l1, 2001), 0x4700);
  op.to = OutputType::float32;
  put(buffers.l1, 1001, 3.0F);
  execute(op);
  EXPECT_EQ(get<float>(buffers.l1, 2001), 7.0F);
}

TEST_F(OutputTest, StoresIntegers) {
  constexpr auto kMost = std::numeric_limits<std::int32_t>::max(), kLeast = std::numeric_limits<std::int32_t>::min();
  const auto stored = [&](std::int32_t sum, const OutputConfiguration &set) {
    return of_integer<std::int32_t>(OutputType::int32, sum, set);
  };
  put(buffers.l1, 64, std::int32_t{1});
  const OutputConfiguration bias{.bias = true, .bias_address = 64};
  EXPECT_EQ(stored(kMost, {}), kMost);
  EXPECT_EQ(stored(kMost, bias), kLeast);
  EXPECT_EQ(stored(-5, {.activation = Activation::ReLU}), 0);
  EXPECT_EQ(stored(kLeast, {.activation = Activation::ReLU}), 0);
  EXPECT_EQ(stored(-1, {.bias = true, .bias_address = 64, .activation = Activation::ReLU}), 0);
  EXPECT_EQ(stored(7, {.bias = true, .bias_address = 64, .activation = Activation::ReLU}), 8);
}

TEST_F(OutputTest, ConvertsIntegers) {
  put(buffers.l1, 64, std::int32_t{-1});
  EXPECT_EQ(of_integer<float>(OutputType::float32, 16777217), 16777216.0F);
  EXPECT_EQ(of_integer<float>(OutputType::float32, 16777219), 16777220.0F);
  EXPECT_EQ(of_integer<float>(OutputType::float32, -2147483647 - 1), -0x1p31F);
  // The bias -1 is added to 2^24 + 2 before the conversion to FP32. The sum 2^24 + 1 is a tie, which rounds to 2^24.
  EXPECT_EQ(of_integer<float>(OutputType::float32, 16777218, {.bias = true, .bias_address = 64}), 16777216.0F);
  EXPECT_EQ(of_integer<std::int8_t>(OutputType::int8, -7, {.scale_mode = ScaleMode::tensor, .scale = 0.5F, .zero_point = 10}), 6);
  EXPECT_EQ(of_integer<std::int8_t>(OutputType::int8, 1 << 30), 127);
  EXPECT_EQ(of_integer<std::int8_t>(OutputType::int8, -7, {.activation = Activation::ReLU}), 0);
  EXPECT_EQ(of_integer<std::uint16_t>(OutputType::half, 1 << 20), 0x7C00);
  EXPECT_EQ(of_integer<std::uint16_t>(OutputType::bfloat16, -257), 0xC380);
}

TEST_F(OutputTest, FillsFractals) {
  std::fill(buffers.l1.begin(), buffers.l1.end(), std::byte{0xA5});
  for (std::size_t row = 0; row < 17; ++row) {
    for (std::size_t column = 0; column < 33; ++column) {
      const std::size_t at = (column / 16 * 3 + row / 16) * 1024 + (row % 16 * 16 + column % 16) * 4;
      put(buffers.l0c, at, static_cast<std::int32_t>(row + column));
    }
  }
  execute(Output{.configuration = {},
                 .to_l1 = true,
                 .format = Format::fractal,
                 .destination = 1024,
                 .destination_pitch = 5,
                 .integer = true,
                 .to = OutputType::int8,
                 .source_pitch = 3,
                 .rows = 17,
                 .columns = 33});
  // The output has two columns of fractals, which begin 5 fractals apart. A fractal has 16 rows of 32 bytes. The store writes two fractals
  // of each column.
  for (std::size_t column = 0; column < 64; ++column) {
    for (std::size_t row = 0; row < 80; ++row) {
      const std::size_t at = 1024 + (column / 32 * 5 + row / 16) * 512 + row % 16 * 32 + column % 32;
      const std::size_t expected = row >= 32 ? 0xA5 : row < 17 && column < 33 ? row + column : 0;
      ASSERT_EQ(std::to_integer<std::size_t>(buffers.l1[at]), expected) << row << ", " << column;
    }
  }
  EXPECT_EQ(buffers.l1[1023], std::byte{0xA5});
}

}  // namespace output_test
}  // namespace cox::test
