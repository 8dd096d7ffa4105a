// SPDX-License-Identifier: MIT
// Functions of real numbers. Each is evaluated in a wider format than the elements have and rounded once (docs/unity-arithmetic.md,
// Numbers).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

#include "sim/model/unity/arithmetic/elements.h"
#include "sim/model/unity/arithmetic/exponential.h"
#include "sim/model/unity/arithmetic/hyperbolic_tangent.h"

namespace cox::model::unity {

/// Calls `evaluate` with a number of the type in which functions of a float unit, and sums of several roundings, are evaluated: FP32 for
/// FP16, FP64 for FP32, and for FP64 the widest type of this host.
template <typename Evaluate>
auto in_wider(Unit unit, Evaluate evaluate) {
  switch (unit) {
    case Unit::fp16: return evaluate(float{});
    case Unit::fp32: return evaluate(double{});
    default: {
      using Widest = long double;
      return evaluate(Widest{});
    }
  }
}

/// Rounds to a float unit once and gives the bits.
template <typename Wide>
[[nodiscard]] std::uint64_t bits_of_wide(Wide value, Unit unit) {
  return bits_of_real(static_cast<double>(value), unit);
}

/// e^x. FP32 results have a definition of their own, which kernels follow (exponential.h).
template <typename Wide>
[[nodiscard]] Wide exponential(Wide x) {
  if constexpr (std::is_same_v<Wide, double>) return exponential_of(x);
  return std::exp(x);
}

/// tanh x. A double is the argument of an FP32 result, and is FP32 itself (hyperbolic_tangent.h).
template <typename Wide>
[[nodiscard]] Wide hyperbolic_tangent(Wide x) {
  if constexpr (std::is_same_v<Wide, double>) return static_cast<double>(tanh_of(static_cast<float>(x)));
  return std::tanh(x);
}

template <typename Wide>
[[nodiscard]] Wide sigmoid(Wide x) {
  // e^x for negative x, so that small results keep all their bits.
  if (x < 0) {
    const Wide power = std::exp(x);
    return power / (1 + power);
  }
  return 1 / (1 + std::exp(-x));
}

/// sigmoid(), for a result that is rounded to the unit at once: recurrent layers go on in the wider format and need all its bits.
template <typename Wide>
[[nodiscard]] Wide sigmoid_to_round(Wide x) {
  if constexpr (std::is_same_v<Wide, double>) return sigmoid_of(x);
  return sigmoid(x);
}

template <typename Wide>
[[nodiscard]] Wide softplus(Wide x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

template <typename Wide>
[[nodiscard]] Wide gelu(Wide x) {
  if (std::isinf(x)) return x < 0 ? -Wide{0} : x;
  return x * std::erfc(-x / std::numbers::sqrt2_v<Wide>) / 2;
}

template <typename Wide>
[[nodiscard]] Wide swish(Wide x) {
  return std::isinf(x) ? (x < 0 ? -Wide{0} : x) : x * sigmoid(x);
}

template <typename Wide>
[[nodiscard]] Wide hard_swish(Wide x) {
  if (x <= -3) return -Wide{0};
  return x >= 3 ? x : x * (x + 3) / 6;
}

/// x - tanh(x), without cancellation: near 0 as the quotient of two series.
template <typename Wide>
[[nodiscard]] Wide tanh_shrink(Wide x) {
  if (!(std::fabs(x) < Wide{1})) return std::isinf(x) ? x : x - std::tanh(x);
  if (x == 0) return x;
  // (x cosh x - sinh x) / cosh x; the numerator is the sum over k of x^(2k + 1) * 2k / (2k + 1)!
  Wide power = x, factorial = 1, sum = 0;
  for (int k = 1; k <= 12; ++k) {
    power *= x * x;
    factorial *= static_cast<Wide>(2 * k) * static_cast<Wide>(2 * k + 1);
    sum += power * static_cast<Wide>(2 * k) / factorial;
  }
  return sum / std::cosh(x);
}

template <typename Wide>
[[nodiscard]] Wide soft_sign(Wide x) {
  return std::isinf(x) ? std::copysign(Wide{1}, x) : x / (1 + std::fabs(x));
}

}  // namespace cox::model::unity
