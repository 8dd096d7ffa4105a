// SPDX-License-Identifier: MIT
// The exponential that SIGMOID, SiLU and SOFTMAX share (docs/mx9.md, Exponential): stated operation by operation, so that its bits are
// defined.
#pragma once

#include <bit>
#include <cstdint>

namespace cox::isa::mx {

/// exp(x) in FP32, each operation rounded to nearest even on its own (nothing fused): x is clamped to [-87, 88]; n = x * log2(e) rounded to
/// the nearest integer, half to even; r = (x - n * 0.693359375) - n * -2.12194440e-4; then Horner with the six coefficients below, times
/// r * r, plus r, plus 1, and a multiplication by 2^n. Relative error below 2^-23 in the range. A NaN gives a NaN.
inline float exponential(float x) {
  if (x != x) return x;
  if (x < -87.0F) x = -87.0F;
  if (x > 88.0F) x = 88.0F;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
  const float scaled = x * 1.44269504F;
  const float shifted = scaled + kRound;
  const float n = shifted - kRound;
  const float high = n * 0.693359375F;
  const float low = n * -2.12194440e-4F;
  const float reduced = x - high;
  const float r = reduced - low;
  float p = 1.9875691500e-4F;
  p = p * r;
  p = p + 1.3981999507e-3F;
  p = p * r;
  p = p + 8.3334519073e-3F;
  p = p * r;
  p = p + 4.1665795894e-2F;
  p = p * r;
  p = p + 1.6666665459e-1F;
  p = p * r;
  p = p + 5.0000001201e-1F;
  const float square = r * r;
  p = p * square;
  p = p + r;
  p = p + 1.0F;
  const auto power = static_cast<std::uint32_t>(static_cast<std::int32_t>(n) + 127) << 23;
  return p * std::bit_cast<float>(power);
}

/// 1 / (1 + exp(-x)), likewise.
inline float sigmoid(float x) {
  const float e = exponential(-x);
  const float sum = 1.0F + e;
  return 1.0F / sum;
}

/// x * sigmoid(x), likewise.
inline float silu(float x) { return x * sigmoid(x); }

}  // namespace cox::isa::mx
