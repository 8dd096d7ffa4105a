// SPDX-License-Identifier: MIT
// Compares softmax_rows() with exp() in double precision. kernels/cube/softmax_rows.h states the bound. tests/target/kernels_cube checks
// that the vector unit gives the same bits.
#include "coxswain/kernels/cube/softmax_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace cox::kernels::cube {
namespace {

using isa::cube::Type;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

double value_of(std::uint16_t bits, Type type) {
  if (type == Type::bfloat16) {
    const std::uint32_t wide = std::uint32_t{bits} << 16;
    float value = 0;
    std::memcpy(&value, &wide, sizeof(value));
    return value;
  }
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 31) return fraction == 0 ? kInfinity : kNan;
  return exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
}

/// The largest error of rounding `value`, a number from 0 to 1, to `type`: half a unit in its last place.
double half_unit(double value, Type type) {
  const int exponent = value == 0 ? -126 : std::ilogb(value);
  return type == Type::bfloat16 ? std::ldexp(1.0, std::max(exponent, -126) - 8) : std::ldexp(1.0, std::max(exponent, -14) - 11);
}

struct Rows {
  Rows(std::uint32_t count, std::uint32_t width) : columns(width), pitch(width + 3), scores(std::size_t{count} * pitch) {
    view.first = reinterpret_cast<std::byte *>(scores.data());
    view.pitch = pitch * sizeof(float);
    view.rows = count;
    view.columns = width;
    view.visible = width;
  }
  [[nodiscard]] std::uint16_t weight(std::uint32_t row, std::uint32_t column) const {
    std::uint16_t bits = 0;
    std::memcpy(&bits, view.first + row * view.pitch + column * sizeof(bits), sizeof(bits));
    return bits;
  }

  std::uint32_t columns;
  std::size_t pitch;
  std::vector<float> scores;
  ScoreRows view;
};

void expect_softmax(Rows rows, Type type) {
  const std::vector<float> scores = rows.scores;
  softmax_rows(rows.view, type);
  for (std::uint32_t row = 0; row < rows.view.rows; ++row) {
    const float *const from = scores.data() + row * rows.pitch;
    const std::uint32_t visible = rows.view.visible_in(row);
    const double maximum = visible == 0 ? 0 : *std::max_element(from, from + visible);
    double sum = 0;
    for (std::uint32_t column = 0; column < visible; ++column) sum += std::exp(from[column] - maximum);
    for (std::uint32_t column = 0; column < rows.columns; ++column) {
      const double made = value_of(rows.weight(row, column), type);
      if (column >= visible) {
        ASSERT_EQ(rows.weight(row, column), 0U);
        continue;
      }
      const double difference = from[column] - maximum;
      const double exact = std::exp(difference) / sum;
      const double before_rounding = exact * std::ldexp(8 + rows.columns / 4.0 - difference, -24);
      const double cut_off = difference < kLeastDifference ? exact : 0;
      ASSERT_NEAR(made, exact, before_rounding + cut_off + half_unit(exact + before_rounding, type))
          << "row " << row << ", column " << column;
    }
  }
}

TEST(SoftmaxRows, AreWithinTheirBound) {
  std::mt19937 random(1);
  for (const Type type : {Type::bfloat16, Type::half}) {
    for (const std::uint32_t columns : {1U, 2U, 3U, 4U, 5U, 31U, 64U, 777U}) {
      for (const float spread : {0.01F, 3.0F, 40.0F, 1e30F}) {
        Rows rows(3, columns);
        std::uniform_real_distribution<float> score(-spread, spread);
        for (float &value : rows.scores) value = score(random);
        expect_softmax(rows, type);
      }
    }
  }
}

TEST(SoftmaxRows, SeeWhatIsNotMasked) {
  std::mt19937 random(2);
  for (const std::int64_t visible : {std::int64_t{-3}, std::int64_t{0}, std::int64_t{1}, std::int64_t{5}, std::int64_t{1} << 40}) {
    Rows rows(9, 7);
    std::uniform_real_distribution<float> score(-2, 2);
    for (float &value : rows.scores) value = score(random);
    rows.view.visible = visible;
    rows.view.visible_step = 1;
    expect_softmax(rows, Type::bfloat16);
  }
}

/// The weights are worked out by hand: 1, 1/2, 1/3, 1/(1 + e^-12) and e^-12/(1 + e^-12). The last one is subnormal in FP16.
TEST(SoftmaxRows, RoundToNearest) {
  for (std::uint32_t columns = 1; columns <= 3; ++columns) {
    constexpr std::uint16_t kBfloat16[] = {0x3F80, 0x3F00, 0x3EAB}, kHalf[] = {0x3C00, 0x3800, 0x3555};
    Rows rows(1, columns);
    softmax_rows(rows.view, Type::bfloat16);
    for (std::uint32_t i = 0; i < columns; ++i) EXPECT_EQ(rows.weight(0, i), kBfloat16[columns - 1]);
    std::fill(rows.scores.begin(), rows.scores.end(), -7.0F);
    softmax_rows(rows.view, Type::half);
    for (std::uint32_t i = 0; i < columns; ++i) EXPECT_EQ(rows.weight(0, i), kHalf[columns - 1]);
  }
  Rows rows(1, 2);
  rows.scores = {5, -7, 0, 0, 0};
  softmax_rows(rows.view, Type::half);
  EXPECT_EQ(rows.weight(0, 0), 0x3C00);
  EXPECT_EQ(rows.weight(0, 1), 103);  // e^-12 / (1 + e^-12) = 6.144e-6, which is 103.08 units of 2^-24
}

TEST(SoftmaxRows, NumbersThatAreNone) {
  for (const Type type : {Type::bfloat16, Type::half}) {
    const std::uint16_t nan = type == Type::half ? 0x7E00 : 0x7FC0;
    Rows rows(5, 3);
    const std::vector<std::vector<float>> scores = {{1, -kNan, 2},
                                                    {kInfinity, 0, -kInfinity},
                                                    {-kInfinity, -kInfinity, -kInfinity},
                                                    {-kInfinity, 4, -kInfinity},
                                                    {kNan, -kInfinity, -kInfinity}};
    for (std::size_t row = 0; row < scores.size(); ++row)
      std::copy(scores[row].begin(), scores[row].end(), rows.scores.begin() + static_cast<std::ptrdiff_t>(row * rows.pitch));
    softmax_rows(rows.view, type);
    for (std::uint32_t column = 0; column < 3; ++column) {
      EXPECT_EQ(rows.weight(0, column), nan);
      EXPECT_EQ(rows.weight(1, column), nan);
      EXPECT_EQ(rows.weight(2, column), 0);
      EXPECT_EQ(value_of(rows.weight(3, column), type), column == 1 ? 1 : 0);
      EXPECT_EQ(rows.weight(4, column), nan);
    }
    // A NaN in a masked column has no effect.
    Rows masked(1, 2);
    masked.scores[1] = kNan;
    masked.view.visible = 1;
    softmax_rows(masked.view, type);
    EXPECT_EQ(value_of(masked.weight(0, 0), type), 1);
    EXPECT_EQ(masked.weight(0, 1), 0);
  }
}

}  // namespace
}  // namespace cox::kernels::cube
