// SPDX-License-Identifier: MIT
// The exponential function in FP64 for results in FP32, defined operation by operation, so that the reference and every set of kernels give
// the same bits (docs/unity-arithmetic.md, Numbers). The relative error is below 2^-31, so results that round to FP32 are within 0.51
// places of the last bit.
//
// The functions are always inlined, because the kernels compile them for several instruction sets. If a function were not inlined, the
// linker would keep only the version for one of these sets.
#pragma once

#include <cstdint>

namespace cox::model::unity {

/// x between -700 and 700: e^x is in the range of FP64 there, and far outside of the range of FP32 at both ends. NaN becomes one of them.
/// Magnitudes have the order of their bits, which vectors compare faster.
[[gnu::always_inline]] inline double within_exponents(double x) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63, kMost = __builtin_bit_cast(std::uint64_t, 700.0);
  const auto bits = __builtin_bit_cast(std::uint64_t, x);
  const std::uint64_t magnitude = bits & ~kSign;
  return __builtin_bit_cast(double, (magnitude < kMost ? magnitude : kMost) | (bits & kSign));
}
[[gnu::always_inline]] inline float within_exponents(float x) {
  constexpr std::uint32_t kSign = 1U << 31, kMost = __builtin_bit_cast(std::uint32_t, 700.0F);
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t magnitude = bits & ~kSign;
  return __builtin_bit_cast(float, (magnitude < kMost ? magnitude : kMost) | (bits & kSign));
}

// The functions for results in FP32, for |x| <= 700. Beyond the range of FP32 the exponential rounds to 0 or Inf.

/// e^x.
[[gnu::always_inline]] inline double exponential_within(double x) {
  constexpr double kRound = 0x1.8p52;  // adding it rounds to an integer, half to even, which stands in the low bits
  const double shifted = __builtin_fma(x, 0x1.71547652b82fep0, kRound);
  const double n = shifted - kRound;
  const double r = __builtin_fma(n, -0x1.62e42fefa39efp-1, x);  // x - n ln 2
  // The coefficients minimise the largest relative error of (e^r - 1) / r.
  double p = __builtin_fma(0x1.a019e87224450p-13, r, 0x1.6d7491fd733fap-10);
  p = __builtin_fma(p, r, 0x1.1111a6840acdbp-7);
  p = __builtin_fma(p, r, 0x1.5554ada56b7dap-5);
  p = __builtin_fma(p, r, 0x1.555554c5f3d6fp-3);
  p = __builtin_fma(p, r, 0x1.00000028190e7p-1);
  p = __builtin_fma(p, r, 0x1.0000000022545p+0);
  const auto exponent = __builtin_bit_cast(std::uint64_t, shifted) << 52;  // n modulo 2^12 in the place of an exponent
  const double power = __builtin_bit_cast(double, exponent + 0x3FF0000000000000);
  return __builtin_fma(power, p * r, power);
}
/// 1 / (1 + e^-x).
[[gnu::always_inline]] inline double sigmoid_within(double x) { return 1 / (1 + exponential_within(-x)); }

// The same for all x. NaN gives NaN.

[[gnu::always_inline]] inline double exponential_of(double x) { return x == x ? exponential_within(within_exponents(x)) : x; }
[[gnu::always_inline]] inline double sigmoid_of(double x) { return x == x ? sigmoid_within(within_exponents(x)) : x; }

}  // namespace cox::model::unity
