// SPDX-License-Identifier: MIT
// The exponential that SIGMOID, SiLU and SOFTMAX share (docs/mx9.md, Exponential). It is defined operation by operation, so that every bit
// is defined.
#pragma once

#include <cstdint>

#include "coxswain/isa/numbers/exponential.h"

namespace cox::isa::numbers {

/// exp(x) in FP32. x is clamped to [-87, 88], so that the result is a normal number and its last multiplication, by a power of two, is
/// exact. Relative error below 2^-23 in this range. A NaN gives a NaN.
inline float clamped_exponential(float x) {
  if (x != x) return x;
  if (x < -87.0F) x = -87.0F;
  if (x > 88.0F) x = 88.0F;
  const ScaledFloat parts = exponential_parts(x);
  return parts.significand * power_of_two(static_cast<std::int32_t>(parts.exponent));
}

/// 1 / (1 + exp(-x)), each operation rounded on its own; a NaN gives a NaN.
inline float sigmoid(float x) {
  const float e = clamped_exponential(-x);
  const float sum = 1.0F + e;
  return 1.0F / sum;
}

/// x * sigmoid(x), each operation rounded on its own; a NaN gives a NaN.
inline float silu(float x) { return x * sigmoid(x); }

}  // namespace cox::isa::numbers
