// SPDX-License-Identifier: MIT
// Functions, formats and scalars of vector operations, worked out by hand from docs/arithmetic.md. Each test runs on the reference and on
// every set of SIMD kernels that this host supports.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core_memory.h"

namespace cox::test {
namespace vector_function_test {

using isa::tile::CompareMode;
using isa::tile::Float2Fixed;
using isa::tile::Format;
using isa::tile::Group1Mode;
using isa::tile::GroupMode;
using isa::tile::Vector;
using isa::tile::VectorFunction;

using Values = std::vector<float>;

constexpr std::int64_t kSource = 0;
constexpr std::int64_t kSource1 = std::int64_t{16} * 1024;
constexpr std::int64_t kDestination = std::int64_t{32} * 1024;
constexpr std::int64_t kTable = std::int64_t{48} * 1024;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<std::uint32_t> bits_of_all(const Values &values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

class VectorFunctionTest : public testing::TestWithParam<std::size_t> {
 protected:
  /// All operands are FP32; the output has the shape of the source.
  static Vector floats(VectorFunction function, std::uint32_t channels, std::uint32_t height = 1, std::uint32_t width = 1) {
    Vector op;
    op.function = function;
    op.source = padded_map(DataFmt::FP32, channels, height, width, kSource);
    op.source1 = padded_map(DataFmt::FP32, channels, height, width, kSource1);
    op.destination = padded_map(DataFmt::FP32, channels, height, width, kDestination);
    op.channels = channels;
    op.height = height;
    op.width = width;
    return op;
  }
  void fill(const Map &map, const Values &values) {
    for (std::size_t i = 0; i < values.size(); ++i) core.put(address(map, i), values[i]);
  }
  static std::int64_t address(const Map &map, std::size_t element) {
    return map.base + static_cast<std::int64_t>(element / map.channels * map.pixel_bytes + element % map.channels * 4);
  }
  Values result(const Vector &op, const Values &source, const Values &source1 = {}) {
    fill(op.source, source);
    fill(op.source1, source1);
    carry_out(op, core.memories(), GetParam());
    Values values;
    const Map &map = op.destination;
    for (std::size_t i = 0; i < std::size_t{map.channels} * map.height * map.width; ++i) values.push_back(core.get<float>(address(map, i)));
    return values;
  }
  /// The only element of the destination, in any format, as bits.
  std::uint32_t element(Vector op, float value, const Format &format, Float2Fixed rounding) {
    op.destination = padded_map(format.format, 1, 1, 1, kDestination);
    op.destination.format = format;
    op.rounding = rounding;
    core.put(kSource, value);
    core.put<std::uint32_t>(kDestination, 0);
    carry_out(op, core.memories(), GetParam());
    return core.get<std::uint32_t>(kDestination);
  }

  Core core;
};

TEST_P(VectorFunctionTest, EveryDestination) {
  struct Case {
    float value;
    Format format;
    Float2Fixed rounding;
    std::uint32_t element;
  };
  const auto odd = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
  constexpr auto kCeil = Float2Fixed::CEIL, kFloor = Float2Fixed::FLOOR, kRound = Float2Fixed::ROUND, kTruncate = Float2Fixed::TRUNCATE;
  constexpr Format kInt4{DataFmt::INT4, true}, kUint4{DataFmt::INT4, false}, kInt8{DataFmt::INT8, true}, kUint8{DataFmt::INT8, false},
      kInt16{DataFmt::INT16, true}, kUint16{DataFmt::INT16, false}, kInt32{DataFmt::INT32, true}, kUint32{DataFmt::INT32, false},
      kHalf{DataFmt::FP16, true}, kBfloat{DataFmt::BF16, true}, kFloat{DataFmt::FP32, true};
  const Case cases[] = {
      {2.5f, kInt8, kCeil, 3},
      {2.5f, kInt8, kFloor, 2},
      {2.5f, kInt8, kRound, 2},
      {2.5f, kInt8, kTruncate, 2},
      {-2.5f, kInt8, kCeil, 0xFE},
      {-2.5f, kInt8, kFloor, 0xFD},
      {-2.5f, kInt8, kRound, 0xFE},
      {-2.5f, kInt8, kTruncate, 0xFE},
      {3.5f, kInt32, kRound, 4},
      {-0.5f, kInt32, kRound, 0},
      {2.5f, kInt32, kCeil, 3},
      {-2.5f, kInt32, kFloor, 0xFFFFFFFD},
      {-2.5f, kInt32, kTruncate, 0xFFFFFFFE},
      {8388607.5f, kInt32, kRound, 8388608},
      {16777215.0f, kInt32, kRound, 16777215},
      {7.5f, kInt4, kRound, 7},
      {8, kInt4, kRound, 7},
      {-8.5f, kInt4, kRound, 8},
      {-1e9f, kInt4, kRound, 8},
      {15.5f, kUint4, kRound, 15},
      {-1, kUint4, kRound, 0},
      {128, kInt8, kRound, 127},
      {-129, kInt8, kRound, 0x80},
      {255.5f, kUint8, kRound, 255},
      {-0.75f, kUint8, kFloor, 0},
      {32767.5f, kInt16, kRound, 32767},
      {-32769, kInt16, kRound, 0x8000},
      {65536, kUint16, kRound, 65535},
      {2147483520, kInt32, kRound, 2147483520},
      {2147483648.0f, kInt32, kRound, 0x7FFFFFFF},
      {-2147483648.0f, kInt32, kRound, 0x80000000},
      {-2147483904.0f, kInt32, kRound, 0x80000000},
      {4294967040.0f, kUint32, kRound, 4294967040},
      {4294967296.0f, kUint32, kRound, 0xFFFFFFFF},
      {-1, kUint32, kRound, 0},
      {kInfinity, kUint32, kRound, 0xFFFFFFFF},
      {-kInfinity, kInt16, kCeil, 0x8000},
      {kNan, kInt4, kRound, 0},
      {kNan, kInt32, kCeil, 0},
      {65519.996f, kHalf, kCeil, 0x7BFF},
      {65520, kHalf, kFloor, 0x7C00},
      {odd(0x33000000), kHalf, kRound, 0},  // 2^-25 is half of the smallest subnormal, a tie that rounds to 0
      {kNan, kHalf, kRound, 0x7E00},
      {-0.0f, kHalf, kRound, 0x8000},
      {odd(0x3F808000), kBfloat, kRound, 0x3F80},  // ties
      {odd(0x3F818000), kBfloat, kRound, 0x3F82},
      {odd(0x3F808001), kBfloat, kCeil, 0x3F81},
      {odd(0x7F7FFFFF), kBfloat, kRound, 0x7F80},
      {odd(0x00018000), kBfloat, kRound, 0x0002},  // subnormal
      {odd(0xFFC12345), kBfloat, kRound, 0x7FC0},
      {odd(0xFF812345), kFloat, kRound, 0x7FC00000},
      {odd(0x00000001), kFloat, kRound, 0x00000001},
      {-0.0f, kFloat, kRound, 0x80000000},
  };
  Vector op = floats(VectorFunction::copy, 1);
  op.apply_scale = op.apply_zero_point = false;
  for (const Case &one : cases) {
    EXPECT_EQ(element(op, one.value, one.format, one.rounding), one.element)
        << one.value << " to format " << static_cast<int>(one.format.format) << ", rounding " << static_cast<int>(one.rounding);
  }
}

TEST_P(VectorFunctionTest, EverySource) {
  struct Case {
    std::uint32_t element;
    Format format;
    float value;
  };
  constexpr Case kCases[] = {
      {0x8, {DataFmt::INT4, true}, -8},
      {0x8, {DataFmt::INT4, false}, 8},
      {0xFF, {DataFmt::INT8, true}, -1},
      {0xFF, {DataFmt::INT8, false}, 255},
      {0x8000, {DataFmt::INT16, true}, -32768},
      {0xFFFF, {DataFmt::INT16, false}, 65535},
      {16777217, {DataFmt::INT32, true}, 0x1p24f},  // a tie, which rounds to even
      {16777219, {DataFmt::INT32, true}, 16777220},
      {0xFFFFFFFF, {DataFmt::INT32, true}, -1},
      {0xFFFFFFFF, {DataFmt::INT32, false}, 0x1p32f},
      {0x80000001, {DataFmt::INT32, false}, 0x1p31f},
      {0xC500, {DataFmt::FP16, true}, -5},
      {0x4049, {DataFmt::BF16, true}, 3.140625f},
  };
  Vector op = floats(VectorFunction::copy, 1);
  for (const Case &one : kCases) {
    op.source = padded_map(one.format.format, 1, 1, 1, kSource);
    op.source.format = one.format;
    core.put(kSource, one.element);
    carry_out(op, core.memories(), GetParam());
    EXPECT_EQ(core.get<float>(kDestination), one.value) << one.element << " of format " << static_cast<int>(one.format.format);
  }
}

TEST_P(VectorFunctionTest, FourBitsPackTwoInAByte) {
  // The values of the three channels are 1, -8 and 7. The first byte gets 1 and -8. The second byte gets 7, and 0 in its upper half. The
  // other bytes of the pixel keep their values.
  Vector op = floats(VectorFunction::copy, 3);
  op.destination = padded_map(DataFmt::INT4, 3, 1, 1, kDestination);
  fill(op.source, {1, -8, 7});
  core.put<std::uint32_t>(kDestination, 0x55555555);
  carry_out(op, core.memories(), GetParam());
  EXPECT_EQ(core.get<std::uint32_t>(kDestination), 0x55550781u);
  // back to FP32
  op.source = op.destination;
  op.destination = padded_map(DataFmt::FP32, 3, 1, 1, kSource1);
  carry_out(op, core.memories(), GetParam());
  EXPECT_EQ(core.get<float>(kSource1 + 4), -8);
  EXPECT_EQ(core.get<float>(kSource1 + 8), 7);
}

TEST_P(VectorFunctionTest, DequantisationRoundsToWholeNumbers) {
  // With scale 0.5 the source gives 2.5, -2.5, 0.5 and 3.5. Rounding mode 0 keeps these numbers. Every other mode makes them whole numbers.
  Vector op = floats(VectorFunction::copy, 4);
  op.dequantise = true;
  op.source_scale = 0.5f;
  op.source_zero_point = 0;
  const Values source{5, -5, 1, 7};
  const Values expected[] = {{2.5f, -2.5f, 0.5f, 3.5f}, {2, -3, 0, 3}, {2, -2, 0, 4}, {2, -2, 0, 3}};
  for (std::uint8_t rounding = 0; rounding < 4; ++rounding) {
    op.dequantisation_rounding = rounding;
    EXPECT_EQ(result(op, source), expected[rounding]) << int{rounding};
  }
  op.apply_zero_point = false;  // adding the zero point +0 would turn -0 into +0
  op.dequantisation_rounding = 2;
  op.source_zero_point = -0.0f;
  EXPECT_EQ(bits_of_all(result(op, {-0.5f, -0.0f, 0x1p30f, -0x1.8p23f})), bits_of_all({-0.0f, -0.0f, 0x1p29f, -0x1.8p22f}));
  // Without dequantisation, 2.5 is not rounded.
  op.dequantise = false;
  EXPECT_EQ(result(op, {2.5f, 0, 0, 0})[0], 2.5f);
}

TEST_P(VectorFunctionTest, MultiplierIsOfTheTensorAtStaddr) {
  Vector op = floats(VectorFunction::arithmetic, 2);
  op.two_tensors = true;
  op.multiply_elements = true;
  op.multiplier = {3, -1};
  EXPECT_EQ(result(op, {1, 2}, {10, 20}), (Values{13, 26}));
  core.scalars[5] = -1;
  op.multiplier = {3, 5};
  EXPECT_EQ(result(op, {1, 2}, {10, 20}), (Values{9, 18}));
  // The padding, which stands for values outside of the map, is not multiplied.
  op = floats(VectorFunction::maximum_pool, 1);
  op.multiply_elements = true;
  op.multiplier = {3, -1};
  op.kernel_width = 2;
  op.padding_value = 5;
  EXPECT_EQ(result(op, {1})[0], 5);
  EXPECT_EQ(result(op, {2})[0], 6);
}

TEST_P(VectorFunctionTest, ArithmeticOfTensorsAndScalars) {
  constexpr GroupMode kModes[] = {GroupMode::DEFAULT, GroupMode::SUB, GroupMode::RSUB, GroupMode::MUL, GroupMode::DIV};
  const Values expected[] = {{10, -1}, {2, -1}, {-2, 1}, {24, -0.0f}, {1.5f, -kInfinity}};
  Vector op = floats(VectorFunction::arithmetic, 2);
  for (std::size_t i = 0; i < 5; ++i) {
    op.group = kModes[i];
    op.two_tensors = true;
    EXPECT_EQ(result(op, {6, -1}, {4, 0}), expected[i]) << i;
    op.two_tensors = false;
    op.operand = {4, -1};
    EXPECT_EQ(result(op, {6, 0})[0], expected[i][0]) << i;
    core.scalars[7] = 4;
    op.operand = {100, 7};
    EXPECT_EQ(result(op, {6, 0})[0], expected[i][0]) << i;
  }
}

TEST_P(VectorFunctionTest, Compare) {
  struct Case {
    CompareMode mode;
    Values expected;  ///< results for the pairs (1, 2), (2, 2), (3, 2), (NaN, 2), (-0, +0), (+0, -0), (2, NaN)
  };
  const Case cases[] = {
      {CompareMode::MAX, {2, 2, 3, kNan, -0.0f, 0.0f, kNan}},
      {CompareMode::MIN, {1, 2, 2, kNan, -0.0f, 0.0f, kNan}},
      {CompareMode::GT, {0, 0, 1, 0, 0, 0, 0}},
      {CompareMode::GE, {0, 1, 1, 0, 1, 1, 0}},
      {CompareMode::LT, {1, 0, 0, 0, 0, 0, 0}},
      {CompareMode::LE, {1, 1, 0, 0, 1, 1, 0}},
      {CompareMode::EQ, {0, 1, 0, 0, 1, 1, 0}},
      {CompareMode::NE, {1, 0, 1, 1, 0, 0, 1}},
  };
  Vector op = floats(VectorFunction::compare, 7);
  op.two_tensors = true;
  op.apply_zero_point = false;
  for (const Case &one : cases) {
    op.compare = one.mode;
    EXPECT_EQ(bits_of_all(result(op, {1, 2, 3, kNan, -0.0f, 0.0f, 2}, {2, 2, 2, 2, 0.0f, -0.0f, kNan})), bits_of_all(one.expected))
        << static_cast<int>(one.mode);
  }
  op.two_tensors = false;
  op.compare = CompareMode::MAX;  // acts as a ReLU
  EXPECT_EQ(result(op, {-1, 0, 1, -kInfinity, 2, 3, -4}), (Values{0, 0, 1, 0, 2, 3, 0}));
}

TEST_P(VectorFunctionTest, BroadcastsEverySubset) {
  // The result has 2 channels, 2 rows and 2 columns. The second tensor has only some of these dimensions. Its values are
  // 100 h + 10 w + c, without the terms of dimensions that it does not have.
  for (std::uint8_t dimensions = 1; dimensions < 8; ++dimensions) {
    Vector op = floats(VectorFunction::arithmetic, 2, 2, 2);
    op.two_tensors = true;
    op.dimensions1 = dimensions;
    const auto extent = [&](unsigned bit) { return (dimensions & bit) != 0 ? 2u : 1u; };
    op.source1 = padded_map(DataFmt::FP32, extent(1), extent(4), extent(2), kSource1);
    Values other;
    for (std::uint32_t i = 0; i < extent(4) * extent(2) * extent(1); ++i)
      other.push_back(static_cast<float>(100 * (i / extent(1) / extent(2)) + 10 * (i / extent(1) % extent(2)) + i % extent(1)));
    Values expected;
    for (unsigned h = 0; h < 2; ++h) {
      for (unsigned w = 0; w < 2; ++w) {
        for (unsigned c = 0; c < 2; ++c)
          expected.push_back(static_cast<float>(((dimensions & 4) != 0 ? 100 * h : 0) + ((dimensions & 2) != 0 ? 10 * w : 0) +
                                                ((dimensions & 1) != 0 ? c : 0)));
      }
    }
    EXPECT_EQ(result(op, Values(8, 0), other), expected) << int{dimensions};
    // Now the first tensor has only `dimensions`, and the second has all three.
    op.dimensions = dimensions;
    op.dimensions1 = 7;
    op.source = op.source1;
    op.source.base = kSource;
    op.source1 = padded_map(DataFmt::FP32, 2, 2, 2, kSource1);
    EXPECT_EQ(result(op, other, Values(8, 0)), expected) << int{dimensions};
  }
}

TEST_P(VectorFunctionTest, SumsGoByRowsThenColumnsThenChannels) {
  // In the order of the device, 1 + 2^24 is a tie and becomes 2^24, adding 1 leaves it, and adding -2^24 gives 0. If the ones were added
  // first, the sum would be 2.
  const auto all = [](std::uint32_t channels, std::uint32_t height, std::uint32_t width) {
    Vector op = floats(VectorFunction::sum, channels, height, width);
    op.reduced = 7;
    op.destination = padded_map(DataFmt::FP32, 1, 1, 1, kDestination);
    return op;
  };
  const Values source{1, 0x1p24f, 1, -0x1p24f};
  EXPECT_EQ(result(all(2, 1, 2), source), Values{0});
  EXPECT_EQ(result(all(2, 2, 1), source), Values{0});
  EXPECT_EQ(result(all(1, 2, 2), source), Values{0});
  // The sum begins at +0.
  EXPECT_EQ(bits_of_all(result(all(1, 1, 1), {-0.0f})), bits_of_all({0.0f}));
}

TEST_P(VectorFunctionTest, LanesTakeTurns) {
  // Without lanes, the terms are added one after another, and each 1 is lost in 2^24. With eight lanes, the sum is 2^24 + 6. Lane 0 has
  // 2^24 and loses the ninth term. The lanes are then added in pairs: ((2^24 + 1) + (1 + 1)) + ((1 + 1) + (1 + 1)), where only the first 1
  // is lost.
  const Values source{0x1p24f, 1, 1, 1, 1, 1, 1, 1, 1};
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    Vector op = floats(VectorFunction::sum, dimension == 0 ? 9 : 1, dimension == 2 ? 9 : 1, dimension == 1 ? 9 : 1);
    op.destination = padded_map(DataFmt::FP32, 1, 1, 1, kDestination);
    op.reduced = static_cast<std::uint8_t>(1u << dimension);
    EXPECT_EQ(result(op, source), Values{0x1p24f}) << dimension;
    op.lanes = true;
    EXPECT_EQ(result(op, source), Values{0x1p24f + 6}) << dimension;
  }
}

TEST_P(VectorFunctionTest, ReducesAnyDimensions) {
  // 2 rows of 2 pixels of 2 channels: row 0 is (1, 2), (3, 4); row 1 is (5, 6), (7, -8).
  struct Case {
    std::uint8_t reduced;
    Values sum, mean, maximum, minimum;
  };
  const Case cases[] = {
      {1, {3, 7, 11, -1}, {1.5f, 3.5f, 5.5f, -0.5f}, {2, 4, 6, 7}, {1, 3, 5, -8}},
      {2, {4, 6, 12, -2}, {2, 3, 6, -1}, {3, 4, 7, 6}, {1, 2, 5, -8}},
      {3, {10, 10}, {2.5f, 2.5f}, {4, 7}, {1, -8}},
      {4, {6, 8, 10, -4}, {3, 4, 5, -2}, {5, 6, 7, 4}, {1, 2, 3, -8}},
      {5, {14, 6}, {3.5f, 1.5f}, {6, 7}, {1, -8}},
      {6, {16, 4}, {4, 1}, {7, 6}, {1, -8}},
      {7, {20}, {2.5f}, {7}, {-8}},
  };
  for (const Case &one : cases) {
    const auto extent = [&](unsigned bit) { return (one.reduced & bit) != 0 ? 1u : 2u; };
    for (const auto &[function, expected] : {std::pair{VectorFunction::sum, one.sum},
                                             {VectorFunction::mean, one.mean},
                                             {VectorFunction::maximum, one.maximum},
                                             {VectorFunction::minimum, one.minimum}}) {
      Vector op = floats(function, 2, 2, 2);
      op.destination = padded_map(DataFmt::FP32, extent(1), extent(4), extent(2), kDestination);
      op.reduced = one.reduced;
      EXPECT_EQ(result(op, {1, 2, 3, 4, 5, 6, 7, -8}), expected) << int{one.reduced} << " function " << static_cast<int>(function);
      op.lanes = true;  // all sums are exact, so their order does not matter
      EXPECT_EQ(result(op, {1, 2, 3, 4, 5, 6, 7, -8}), expected) << int{one.reduced} << " function " << static_cast<int>(function);
    }
  }
}

TEST_P(VectorFunctionTest, ExtremesOfZerosAndNan) {
  // If +0 and -0 are both the largest or smallest value, the result must be the first of them. A kernel that processes several channels at
  // once could return a later one. The test has 72 channels, more than any kernel processes at once.
  constexpr std::uint32_t kChannels = 72;
  Vector op = floats(VectorFunction::maximum, kChannels);
  op.destination = padded_map(DataFmt::FP32, 1, 1, 1, kDestination);
  op.reduced = 1;
  op.apply_zero_point = false;
  Values source(kChannels, -1.0f);
  source[1] = -0.0f;
  source[2] = source[32] = source[71] = 0.0f;
  EXPECT_EQ(bits_of_all(result(op, source)), bits_of_all({-0.0f}));
  op.function = VectorFunction::minimum;
  source.assign(kChannels, 1.0f);
  source[1] = 0.0f;
  source[2] = source[32] = source[71] = -0.0f;
  EXPECT_EQ(bits_of_all(result(op, source)), bits_of_all({0.0f}));
  for (const std::size_t at : {0u, 31u, 32u, 71u}) {
    Values with_nan = source;
    with_nan[at] = -kNan;
    EXPECT_EQ(bits_of_all(result(op, with_nan)), bits_of_all({kNan})) << at;
  }
  EXPECT_EQ(result(op, Values(kChannels, kInfinity)), Values{kInfinity});
}

TEST_P(VectorFunctionTest, AFullReductionGoesToARegisterToo) {
  Vector op = floats(VectorFunction::mean, 2, 1, 2);
  op.destination = padded_map(DataFmt::FP32, 1, 1, 1, kDestination);
  op.reduced = 7;
  op.result = 6;
  op.group1 = Group1Mode::MUL;  // applied after the function
  op.operand1 = {0, 6};         // reads scalar register 6 before the instruction writes it
  op.scale = 10;
  core.scalars[6] = 2;
  EXPECT_EQ(result(op, {1, 2, 3, 4}), Values{50});
  EXPECT_EQ(core.scalars[6], 2.5f);
  EXPECT_EQ(result(op, {kInfinity, -kInfinity, 0, 0})[0] == 0, false);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(core.scalars[6]), 0x7FC00000u);
  // Without scalar registers, all of them read as 0 and no result is kept.
  auto memories = core.memories();
  memories.scalars = nullptr;
  fill(op.source, {1, 2, 3, 4});
  carry_out(op, memories, GetParam());
  EXPECT_EQ(core.get<float>(kDestination), 0);
}

TEST_P(VectorFunctionTest, Table) {
  Vector op = floats(VectorFunction::table, 9);
  op.table = {2, 0, kTable, -1, 1, false};
  core.put<float>(kTable, 0);
  core.put<float>(kTable + 4, 10);
  core.put<float>(kTable + 8, 30);
  const Values source{-1, -0.5f, 0, 0.5f, 1, 2, -2, kInfinity, -kInfinity};
  EXPECT_EQ(result(op, source), (Values{0, 5, 10, 20, 30, 30, 0, 30, 0}));
  op.table.extrapolate = true;
  EXPECT_EQ(result(op, source), (Values{0, 5, 10, 20, 30, 50, -10, kInfinity, -kInfinity}));
  EXPECT_TRUE(std::isnan(result(op, Values(9, kNan))[8]));
  op.table.segments = 1;  // only the segment for inputs from -1 to 0, with results from 0 to 10
  EXPECT_EQ(result(op, source), (Values{0, 5, 10, 15, 20, 30, -10, kInfinity, -kInfinity}));
}

TEST_P(VectorFunctionTest, Softmax) {
  Vector op = floats(VectorFunction::softmax, 2, 1, 4);
  for (const bool lanes : {false, true}) {
    op.lanes = lanes;
    const Values y = result(op, {3, 3, 0, -kInfinity, 1000, 0, -kInfinity, -kInfinity});
    EXPECT_EQ((Values{y.begin(), y.begin() + 6}), (Values{0.5f, 0.5f, 1, 0, 1, 0}));
    EXPECT_TRUE(std::isnan(y[6]) && std::isnan(y[7]));
  }
  EXPECT_EQ(result(floats(VectorFunction::softmax, 1), {-7}), Values{1});
}

TEST_P(VectorFunctionTest, LayerNorm) {
  // The elements of the first pixel, 1 and 3, have mean 2 and variance 1, and differ from the mean by -1 and 1. The operand 3 is added to
  // the variance, so these differences are divided by sqrt(1 + 3) = 2.
  Vector op = floats(VectorFunction::layer_norm, 2, 1, 2);
  op.operand = {3, -1};
  EXPECT_EQ(result(op, {1, 3, 7, 7}), (Values{-0.5f, 0.5f, 0, 0}));
  op.two_tensors = true;
  op.dimensions1 = 5;
  op.source1 = padded_map(DataFmt::FP32, 2, 2, 1, kSource1);
  EXPECT_EQ(result(op, {1, 3, 7, 7}, {2, 4, 1, 10}), (Values{0, 12, 1, 10}));
  op.operand = {0, -1};  // 0 / 0
  EXPECT_TRUE(std::isnan(result(op, {1, 3, 7, 7}, {2, 4, 1, 10})[2]));
}

TEST_P(VectorFunctionTest, Resize) {
  struct Case {
    VectorFunction function;
    std::uint32_t numerator, denominator;
    std::int32_t offset, first;
    float padding;
    Values expected;
  };
  constexpr float kNone = isa::tile::kNoAreaCorrection;
  const Case cases[] = {
      // Half-pixel centres, from 2 columns to 4. Output w is at position (4 w - 2) / 8 of the input. The four positions, as column and
      // fraction, are -1 + 6/8, 0 + 2/8, 0 + 6/8 and 1 + 2/8.
      {VectorFunction::bilinear, 2, 4, -2, 0, kNone, {0, 2.5f, 7.5f, 10}},
      {VectorFunction::bilinear, 2, 4, -2, 0, 4, {1, 2.5f, 7.5f, 8.5f}},
      {VectorFunction::nearest, 2, 4, 2, 0, 4, {0, 0, 10, 10}},
      // As above, but the outputs begin at w = 2, or at w = -1 in the last of these three cases.
      {VectorFunction::bilinear, 2, 4, -2, 2, kNone, {7.5f, 10, 10, 10}},
      {VectorFunction::nearest, 2, 4, 2, 2, 4, {10, 10, 4, 4}},
      {VectorFunction::nearest, 2, 4, 2, -1, kNone, {0, 0, 0, 10}},
      // Aligned corners, from 2 columns to 4. Output w is at position 2 w / 6 of the input.
      {VectorFunction::bilinear, 1, 3, 0, 0, kNone, {0, 10.0f * (2.0f / 6.0f), 10.0f * (4.0f / 6.0f), 10}},
      // Output w takes input 3 w. Beyond the map's end it takes the padding.
      {VectorFunction::nearest, 3, 1, 0, 0, 7, {0, 7, 7, 7}},
      {VectorFunction::bilinear, 0, 1, 1, 0, kNone, {5, 5, 5, 5}},
  };
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const Case &one = cases[i];
    for (const unsigned axis : {0u, 1u}) {  // 0: along rows (height), 1: along columns (width)
      Vector op = floats(one.function, 1, axis == 0 ? 4 : 1, axis == 1 ? 4 : 1);
      op.source = padded_map(DataFmt::FP32, 1, axis == 0 ? 2 : 1, axis == 1 ? 2 : 1, kSource);
      op.numerator[axis] = one.numerator;
      op.denominator[axis] = one.denominator;
      op.offset[axis] = one.offset;
      (axis == 0 ? op.first_row : op.first_column) = one.first;
      op.padding_value = one.padding;
      EXPECT_EQ(result(op, {0, 10}), one.expected) << "case " << i << " axis " << axis;
    }
  }
}

TEST_P(VectorFunctionTest, BehindTheFunction) {
  // Group 1 gives 6 * 2 = 12, the affine step 12 * 0.5 + 1 = 7, scale and zero point 7 * 3 - 5 = 16, and the shift 16 * 2^-3 = 2.
  Vector op = floats(VectorFunction::copy, 1);
  op.group1 = Group1Mode::MUL;
  op.operand1 = {2, -1};
  op.affine = true;
  op.factor = {0.5f, -1};
  op.summand = {1, -1};
  op.scale = 3;
  op.zero_point = 5;
  op.subtract_zero_point = true;
  op.shift = 3;
  EXPECT_EQ(result(op, {6}), Values{2});
  op.subtract_zero_point = false;
  EXPECT_EQ(result(op, {6}), Values{3.25f});
  op.apply_zero_point = false;
  EXPECT_EQ(result(op, {6}), Values{2.625f});
  op.apply_scale = false;
  EXPECT_EQ(result(op, {6}), Values{0.875f});
  op.shift = 15;
  EXPECT_EQ(result(op, {6}), Values{7 * 0x1p-15f});
  op.shift = 0;
  op.group1 = Group1Mode::ADD;
  EXPECT_EQ(result(op, {6}), Values{5});
  op.group1 = Group1Mode::SUB;
  EXPECT_EQ(result(op, {6}), Values{3});
  core.scalars = {0, 1, 2, 3, 4, 5, 6, 7};
  op.operand1 = {0, 4};  // 6 - 4 = 2
  op.factor = {0, 3};    // 2 * 3 = 6
  op.summand = {0, 7};   // 6 + 7 = 13
  EXPECT_EQ(result(op, {6}), Values{13});
}

INSTANTIATE_TEST_SUITE_P(Ways, VectorFunctionTest, testing::Range(std::size_t{0}, ways()),
                         [](const auto &way) { return way_name(way.param); });

}  // namespace vector_function_test
}  // namespace cox::test
