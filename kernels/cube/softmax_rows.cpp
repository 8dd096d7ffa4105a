// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/softmax_rows.h"

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "coxswain/isa/numbers/bfloat16.h"
#include "coxswain/isa/numbers/clamped_exponential.h"

namespace cox::kernels::cube {
namespace {

float load(const std::byte *row, std::uint32_t column) {
  float value = 0;
  std::memcpy(&value, row + std::size_t{column} * sizeof(value), sizeof(value));
  return value;
}

/// Rounds a weight, which is from 0 to 1 or a NaN.
std::uint16_t rounded(float weight, isa::cube::Type type) {
  const bool is_half = type == isa::cube::Type::half;
  if (weight != weight) return is_half ? 0x7E00 : 0x7FC0;
  if (!is_half) return isa::numbers::bfloat16_from_float(weight);
  constexpr float kLeastNormal = 0x1p-14F;
  // The addition rounds the weight as FP16 would: the last bit of 0.5F has the same value as the last bit of an FP16 subnormal.
  if (weight < kLeastNormal)
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(weight + 0.5F) - std::bit_cast<std::uint32_t>(0.5F));
  const auto bits = std::bit_cast<std::uint32_t>(weight);
  return static_cast<std::uint16_t>((bits - (112U << 23) + 0xFFFU + (bits >> 13 & 1U)) >> 13);
}

void softmax_row(std::byte *row, std::uint32_t visible, std::uint32_t columns, isa::cube::Type type) {
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  float maximum = kNothing;
  for (std::uint32_t column = 0; column < visible; ++column) {
    const float score = load(row, column);
    if (score > maximum) maximum = score;
  }
  if (maximum == kNothing) maximum = 0;  // avoids -infinity - (-infinity), which is NaN

  std::array<float, 4> sums{};
  for (std::uint32_t column = 0; column < visible; ++column) {
    const float difference = load(row, column) - maximum;
    const float power = difference < kLeastDifference ? 0.0F : isa::numbers::clamped_exponential(difference);
    std::memcpy(row + std::size_t{column} * sizeof(power), &power, sizeof(power));
    sums[column % sums.size()] += power;
  }
  const float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  const float reciprocal = sum == 0 ? 0 : 1 / sum;

  for (std::uint32_t column = 0; column < columns; ++column) {
    const std::uint16_t weight = column < visible ? rounded(load(row, column) * reciprocal, type) : std::uint16_t{0};
    std::memcpy(row + std::size_t{column} * sizeof(weight), &weight, sizeof(weight));
  }
}

}  // namespace

void softmax_rows_plain(const ScoreRows &scores, isa::cube::Type type) {
  for (std::uint32_t row = 0; row < scores.rows; ++row)
    softmax_row(scores.first + row * scores.pitch, scores.visible_in(row), scores.columns, type);
}

#if !defined(__ARM_FEATURE_MVE)
void softmax_rows(const ScoreRows &scores, isa::cube::Type type) { softmax_rows_plain(scores, type); }
#endif

}  // namespace cox::kernels::cube
