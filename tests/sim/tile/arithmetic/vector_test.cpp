// SPDX-License-Identifier: MIT
// Vector operations worked out by hand from docs/arithmetic.md. Each test runs on the reference and on every set of SIMD kernels that this
// host supports.
#include <gtest/gtest.h>

#include "core_memory.h"

namespace cox::test {
namespace vector_test {

using isa::tile::Float2Fixed;
using isa::tile::Vector;
using isa::tile::VectorFunction;

constexpr std::int64_t kSource = 0;
constexpr std::int64_t kSource1 = std::int64_t{16} * 1024;
constexpr std::int64_t kDestination = std::int64_t{32} * 1024;

constexpr std::uint16_t kHalfOne = 0x3C00;
constexpr std::uint16_t kHalfNan = 0x7E00;
constexpr std::uint16_t kHalfInf = 0x7C00;

class VectorTest : public testing::TestWithParam<std::size_t> {
 protected:
  /// One channel, source maps of `height` x `width`, an output of one pixel.
  static Vector one_pixel(VectorFunction function, DataFmt from, DataFmt to, std::uint32_t height = 1, std::uint32_t width = 1) {
    Vector operation;
    operation.function = function;
    operation.source = padded_map(from, 1, height, width, kSource);
    operation.source1 = padded_map(from, 1, height, width, kSource1);
    operation.destination = padded_map(to, 1, 1, 1, kDestination);
    operation.channels = operation.height = operation.width = 1;
    operation.kernel_height = height;
    operation.kernel_width = width;
    return operation;
  }
  template <typename T>
  void fill(std::int64_t base, const std::vector<T> &pixels) {
    for (std::size_t i = 0; i < pixels.size(); ++i) core.put<T>(base + static_cast<std::int64_t>(i) * 8, pixels[i]);
  }
  int int8_result(const Vector &operation) {
    carry_out(operation, core.memories(), GetParam());
    return core.get<std::int8_t>(kDestination);
  }
  int half_result(const Vector &operation) {
    carry_out(operation, core.memories(), GetParam());
    return core.get<std::uint16_t>(kDestination);
  }

  Core core;
};

TEST_P(VectorTest, CopyDequantisesAndQuantises) {
  // Dequantisation gives 10 * 0.5 + 1 = 6. Requantisation gives 6 * 2.25 - 3 = 10.5, a tie, which becomes the even neighbour 10.
  Vector operation = one_pixel(VectorFunction::copy, DataFmt::INT8, DataFmt::INT8);
  fill<std::int8_t>(kSource, {10});
  operation.dequantise = true;
  operation.source_scale = 0.5f;
  operation.source_zero_point = 1;
  operation.scale = 2.25f;
  operation.zero_point = -3;
  EXPECT_EQ(int8_result(operation), 10);
  operation.rounding = Float2Fixed::CEIL;
  EXPECT_EQ(int8_result(operation), 11);
  // Without dequantisation the value is 10. Requantisation gives 10 * 2.25 - 3 = 19.5, a tie, which becomes the even neighbour 20.
  operation.dequantise = false;
  operation.rounding = Float2Fixed::ROUND;
  EXPECT_EQ(int8_result(operation), 20);
  operation.rounding = Float2Fixed::TRUNCATE;
  EXPECT_EQ(int8_result(operation), 19);
}

TEST_P(VectorTest, HalfToInt8) {
  // Requantisation gives 1 * 40.5 - 128 = -87.5, a tie, which becomes the even neighbour -88.
  Vector operation = one_pixel(VectorFunction::copy, DataFmt::FP16, DataFmt::INT8);
  operation.scale = 40.5f;
  operation.zero_point = -128;
  fill<std::uint16_t>(kSource, {kHalfOne});
  EXPECT_EQ(int8_result(operation), -88);
  fill<std::uint16_t>(kSource, {kHalfInf});
  EXPECT_EQ(int8_result(operation), 127);
  fill<std::uint16_t>(kSource, {static_cast<std::uint16_t>(kHalfInf | 0x8000)});
  EXPECT_EQ(int8_result(operation), -128);
  fill<std::uint16_t>(kSource, {kHalfNan});
  EXPECT_EQ(int8_result(operation), 0);
  operation.scale = 0;  // Inf * 0 is NaN
  fill<std::uint16_t>(kSource, {kHalfInf});
  EXPECT_EQ(int8_result(operation), 0);
}

TEST_P(VectorTest, HalfDestinationScalesButDoesNotRoundToIntegers) {
  // The result is 5 * 0.25 + 0.125 = 1.375, in FP16 0x3D80.
  Vector operation = one_pixel(VectorFunction::copy, DataFmt::INT8, DataFmt::FP16);
  fill<std::int8_t>(kSource, {5});
  operation.scale = 0.25f;
  operation.zero_point = 0.125f;
  EXPECT_EQ(half_result(operation), 0x3D80);
}

TEST_P(VectorTest, HalfSubnormalsComeAndGo) {
  Vector operation = one_pixel(VectorFunction::copy, DataFmt::FP16, DataFmt::FP16);
  fill<std::uint16_t>(kSource, {0x0003});
  EXPECT_EQ(half_result(operation), 0x0003);
  operation.scale = 0.5f;  // 3 * 2^-24 * 0.5 is a tie, and becomes the even neighbour 2 * 2^-24
  EXPECT_EQ(half_result(operation), 0x0002);
  operation.scale = 1;
  fill<std::uint16_t>(kSource, {0x7D01});  // a signalling NaN becomes the one NaN that the device writes
  EXPECT_EQ(half_result(operation), kHalfNan);
}

TEST_P(VectorTest, AddHasAScaleForEachTensor) {
  // Dequantisation gives 4 * 0.5 + 1 = 3 and -8 * 0.25 + 0.5 = -1.5. The sum is 1.5. Requantisation gives 1.5 * 2 - 128 = -125.
  Vector operation = one_pixel(VectorFunction::arithmetic, DataFmt::INT8, DataFmt::INT8);
  operation.two_tensors = true;
  fill<std::int8_t>(kSource, {4});
  fill<std::int8_t>(kSource1, {-8});
  operation.dequantise = true;
  operation.source_scale = 0.5f;
  operation.source_zero_point = 1;
  operation.source1_scale = 0.25f;
  operation.source1_zero_point = 0.5f;
  operation.scale = 2;
  operation.zero_point = -128;
  EXPECT_EQ(int8_result(operation), -125);
  // Saturation acts as a ReLU. The second tensor is now -20 * 0.25 + 0.5 = -4.5, and the sum is 3 - 4.5 = -1.5. Requantisation gives
  // -1.5 * 2 - 128 = -131, which saturates to -128. A sum of 0 would give -128 too.
  fill<std::int8_t>(kSource1, {-20});
  EXPECT_EQ(int8_result(operation), -128);
}

TEST_P(VectorTest, AddInPlace) {
  Vector operation = one_pixel(VectorFunction::arithmetic, DataFmt::INT8, DataFmt::INT8);
  operation.two_tensors = true;
  operation.destination.base = kSource1;
  fill<std::int8_t>(kSource, {4});
  fill<std::int8_t>(kSource1, {5});
  carry_out(operation, core.memories(), GetParam());
  EXPECT_EQ(core.get<std::int8_t>(kSource1), 9);
}

TEST_P(VectorTest, MaximumComparesRealValues) {
  Vector operation = one_pixel(VectorFunction::maximum_pool, DataFmt::INT8, DataFmt::INT8, 1, 3);
  fill<std::int8_t>(kSource, {5, -3, 1});
  EXPECT_EQ(int8_result(operation), 5);
  operation.dequantise = true;
  operation.source_scale = -1;  // negates the values to -5, 3 and -1
  EXPECT_EQ(int8_result(operation), 3);
}

TEST_P(VectorTest, MinimumComparesRealValues) {
  Vector operation = one_pixel(VectorFunction::minimum_pool, DataFmt::INT8, DataFmt::INT8, 1, 3);
  fill<std::int8_t>(kSource, {5, -3, 1});
  EXPECT_EQ(int8_result(operation), -3);
  operation.dequantise = true;
  operation.source_scale = -1;  // negates the values to -5, 3 and -1
  EXPECT_EQ(int8_result(operation), -5);
}

TEST_P(VectorTest, MinimumTakesThePaddingAsARealValue) {
  // A 3x3 window from (-1, -1) on, over a map of one pixel that is 100.
  Vector operation = one_pixel(VectorFunction::minimum_pool, DataFmt::INT8, DataFmt::INT8);
  fill<std::int8_t>(kSource, {100});
  operation.kernel_height = operation.kernel_width = 3;
  operation.first_row = operation.first_column = -1;
  operation.padding_value = 32767;
  EXPECT_EQ(int8_result(operation), 100);
  operation.padding_value = 40;
  EXPECT_EQ(int8_result(operation), 40);
}

TEST_P(VectorTest, MaximumTakesThePaddingAsARealValue) {
  // A 3x3 window from (-1, -1) on, over a map of one pixel that is -100.
  Vector operation = one_pixel(VectorFunction::maximum_pool, DataFmt::INT8, DataFmt::INT8);
  fill<std::int8_t>(kSource, {-100});
  operation.kernel_height = operation.kernel_width = 3;
  operation.first_row = operation.first_column = -1;
  operation.padding_value = -32768;
  EXPECT_EQ(int8_result(operation), -100);
  operation.dequantise = true;
  operation.source_scale = 0.5f;  // the element is -50; the padding is not scaled
  operation.padding_value = -40;
  EXPECT_EQ(int8_result(operation), -40);
}

TEST_P(VectorTest, MaximumOfANanIsNan) {
  Vector operation = one_pixel(VectorFunction::maximum_pool, DataFmt::FP16, DataFmt::FP16, 1, 3);
  for (const std::vector<std::uint16_t> &pixels :
       {std::vector<std::uint16_t>{kHalfNan, kHalfOne, kHalfInf}, {kHalfOne, kHalfNan, kHalfInf}, {kHalfOne, kHalfInf, 0xFE01}}) {
    fill<std::uint16_t>(kSource, pixels);
    EXPECT_EQ(half_result(operation), kHalfNan);
  }
  fill<std::uint16_t>(kSource, {0xFC00, 0x8001, 0xC000});  // -Inf, -2^-24, -2
  EXPECT_EQ(half_result(operation), 0x8001);
}

TEST_P(VectorTest, AverageScalesEachElement) {
  // Each element is multiplied by 0.25. The sum is 0.25 + 0.5 + 0.75 + 1 = 2.5, a tie, which becomes the even neighbour 2.
  Vector operation = one_pixel(VectorFunction::average_pool, DataFmt::INT8, DataFmt::INT8, 2, 2);
  fill<std::int8_t>(kSource, {1, 2, 3, 4});
  operation.multiplier.value = 0.25f;
  EXPECT_EQ(int8_result(operation), 2);
  // With dequantisation, an element q adds (2 q + 1) * 0.25 to the sum, which is 0.75 + 1.25 + 1.75 + 2.25 = 6.
  operation.dequantise = true;
  operation.source_scale = 2;
  operation.source_zero_point = 1;
  EXPECT_EQ(int8_result(operation), 6);
  // The window is now one row lower: it has the elements 3 and 4, and the padding 8 twice. Dequantisation turns 3 and 4 into 7 and 9. The
  // sum is (7 + 9 + 8 + 8) * 0.25 = 8.
  operation.first_row = 1;
  operation.padding_value = 8;
  EXPECT_EQ(int8_result(operation), 8);
}

TEST_P(VectorTest, AverageAddsInRowThenColumnOrder) {
  // The terms are the elements times 512: 2^24, 1 and 1. If 2^24 comes first, both ones are lost, because 2^24 + 1 is a tie and becomes
  // 2^24. If 2^24 comes last, the sum is 2^24 + 2. The zero point subtracts 2^24.
  Vector operation = one_pixel(VectorFunction::average_pool, DataFmt::FP16, DataFmt::INT8, 1, 3);
  operation.multiplier.value = 512;
  operation.zero_point = -0x1p24f;
  fill<std::uint16_t>(kSource, {0x7800, 0x1800, 0x1800});  // 32768, 2^-9, 2^-9
  EXPECT_EQ(int8_result(operation), 0);
  fill<std::uint16_t>(kSource, {0x1800, 0x1800, 0x7800});
  EXPECT_EQ(int8_result(operation), 2);
  // The terms are (1, 2^24) in row 0 and (1, 0) in row 1. The device adds them row by row, so both ones are lost in 2^24.
  operation = one_pixel(VectorFunction::average_pool, DataFmt::FP16, DataFmt::INT8, 2, 2);
  operation.multiplier.value = 512;
  operation.zero_point = -0x1p24f;
  fill<std::uint16_t>(kSource, {0x1800, 0x7800, 0x1800, 0x0000});  // 2^-9, 32768, 2^-9, 0
  EXPECT_EQ(int8_result(operation), 0);
}

TEST_P(VectorTest, PoolStrides) {
  // The map is 1 9 2 8 3 7. Windows of 2 columns begin at column 1 and at column 4, so the results are max(9, 2) and max(3, 7).
  Vector operation = one_pixel(VectorFunction::maximum_pool, DataFmt::INT8, DataFmt::INT8);
  operation.source = padded_map(DataFmt::INT8, 1, 1, 6, kSource);
  operation.destination = padded_map(DataFmt::INT8, 1, 1, 2, kDestination);
  fill<std::int8_t>(kSource, {1, 9, 2, 8, 3, 7});
  operation.width = 2;
  operation.kernel_width = 2;
  operation.stride_width = 3;
  operation.first_column = 1;
  carry_out(operation, core.memories(), GetParam());
  EXPECT_EQ(core.get<std::int8_t>(kDestination), 9);
  EXPECT_EQ(core.get<std::int8_t>(kDestination + 8), 7);
}

TEST_P(VectorTest, WritesItsChannelsAlone) {
  // 3 channels in pixels of 8 bytes: bytes 3 to 7 of each pixel keep 0x55.
  Vector operation = one_pixel(VectorFunction::copy, DataFmt::INT8, DataFmt::INT8);
  operation.source = padded_map(DataFmt::INT8, 3, 1, 2, kSource);
  operation.destination = padded_map(DataFmt::INT8, 3, 1, 2, kDestination);
  operation.channels = 3;
  operation.width = 2;
  for (int byte = 0; byte < 16; ++byte) {
    core.put<std::int8_t>(kSource + byte, static_cast<std::int8_t>(byte));
    core.put<std::int8_t>(kDestination + byte, 0x55);
  }
  carry_out(operation, core.memories(), GetParam());
  for (int byte = 0; byte < 16; ++byte) EXPECT_EQ(core.get<std::int8_t>(kDestination + byte), byte % 8 < 3 ? byte : 0x55) << byte;
}

INSTANTIATE_TEST_SUITE_P(Ways, VectorTest, testing::Range(std::size_t{0}, ways()), [](const auto &way) { return way_name(way.param); });

}  // namespace vector_test
}  // namespace cox::test
