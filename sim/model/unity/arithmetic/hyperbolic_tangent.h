// SPDX-License-Identifier: MIT
// tanh in FP32, defined operation by operation, so that the reference and every set of kernels give the same bits
// (docs/unity-arithmetic.md, Numbers). The error is below one place of the last bit.
//
// The function is always inlined, as those of exponential.h.
#pragma once

#include <cstdint>

namespace cox::model::unity {

/// Polynomials of |x| - middle, one for each of 32 intervals. Interval i, above 0, begins at the number with the bits kTanhFirst + i *
/// 2^21: there are four intervals from one power of two to the next. Interval 0 begins at 0, and the last one has only 10, from where on
/// the result is 1.
inline constexpr std::uint32_t kTanhIntervals = 32, kTanhFirst = 0x3D400000, kTanhLast = 0x41200000, kTanhShift = 21;
/// Lines: the middles, then the coefficients from the constant on. The middles are such that the constants hardly round.
// clang-format off
inline constexpr float kTanh[7][kTanhIntervals] = {
    {0, 0x1.dfff48p-5F, 0x1.1ffdeep-4F, 0x1.5ffee6p-4F, 0x1.9ffde6p-4F, 0x1.e0030ep-4F, 0x1.200278p-3F, 0x1.5ffecep-3F,
     0x1.9fff9ap-3F, 0x1.dfff30p-3F, 0x1.1ffe3ap-2F, 0x1.600068p-2F, 0x1.9ffd82p-2F, 0x1.e000eap-2F, 0x1.1ffcecp-1F, 0x1.5ffe5ap-1F,
     0x1.9ffd40p-1F, 0x1.e0029ap-1F, 0x1.1ffeb6p+0F, 0x1.6002b0p+0F, 0x1.9fff10p+0F, 0x1.e00076p+0F, 0x1.1ffe24p+1F, 0x1.600230p+1F,
     0x1.9ffd2cp+1F, 0x1.e002cep+1F, 0x1.1ffee2p+2F, 0x1.600320p+2F, 0x1.9ffce0p+2F, 0x1.e00320p+2F, 0x1.1ffce0p+3F, 0x1.400000p+3F},
    {0, 0x1.df72dap-5F, 0x1.1f84aep-4F, 0x1.5f21bap-4F, 0x1.9e9142p-4F, 0x1.ddd396p-4F, 0x1.1e203cp-3F, 0x1.5c91dep-3F,
     0x1.9a5ebap-3F, 0x1.d76598p-3F, 0x1.18a1f6p-2F, 0x1.52c322p-2F, 0x1.8a85c2p-2F, 0x1.bfaf28p-2F, 0x1.050628p-1F, 0x1.3156d0p-1F,
     0x1.57877cp-1F, 0x1.77d96cp-1F, 0x1.9e5bd2p-1F, 0x1.c279dcp-1F, 0x1.d9c6b6p-1F, 0x1.e878b4p-1F, 0x1.f4bf84p-1F, 0x1.fbd52ep-1F,
     0x1.fe7668p-1F, 0x1.ff6f1ep-1F, 0x1.ffdfa6p-1F, 0x1.fffba0p-1F, 0x1.ffff68p-1F, 0x1.ffffecp-1F, 0x1.fffffep-1F, 0x1.000000p+0F},
    {0x1.000000p+0F, 0x1.fe3f08p-1F, 0x1.fd7a2ap-1F, 0x1.fc3cc4p-1F, 0x1.fac14cp-1F, 0x1.f90844p-1F, 0x1.f601a0p-1F, 0x1.f12b18p-1F,
     0x1.eb7164p-1F, 0x1.e4dfc8p-1F, 0x1.d98baap-1F, 0x1.c7f704p-1F, 0x1.b40000p-1F, 0x1.9e235cp-1F, 0x1.7aed3ap-1F, 0x1.49e804p-1F,
     0x1.1981d6p-1F, 0x1.d8314cp-2F, 0x1.6152e4p-2F, 0x1.ce9eb8p-3F, 0x1.266032p-3F, 0x1.6fce64p-4F, 0x1.641aa6p-5F, 0x1.099eaap-6F,
     0x1.8900c4p-8F, 0x1.219b0ap-9F, 0x1.02ca50p-11F, 0x1.181a42p-14F, 0x1.2f8098p-17F, 0x1.4858e6p-20F, 0x1.068dbep-24F, 0},
    {0, -0x1.ddce6ep-5F, -0x1.1e1a02p-4F, -0x1.5c8d24p-4F, -0x1.9a5212p-4F, -0x1.d752e8p-4F, -0x1.188a82p-3F, -0x1.5278eep-3F,
     -0x1.89e4b8p-3F, -0x1.be6c12p-3F, -0x1.038e2ap-2F, -0x1.2dafd6p-2F, -0x1.4ff5e4p-2F, -0x1.6a1d8ap-2F, -0x1.825ce2p-2F, -0x1.897d46p-2F,
     -0x1.79c1f4p-2F, -0x1.5aa0aap-2F, -0x1.1df20ep-2F, -0x1.970866p-3F, -0x1.10666ap-3F, -0x1.5ee784p-4F, -0x1.5c43eap-5F, -0x1.077028p-6F,
     -0x1.87c9a0p-8F, -0x1.214202p-9F, -0x1.024de6p-11F, -0x1.17a1e8p-14F, -0x1.2f004ep-17F, -0x1.47ce6ap-20F, -0x1.fd1008p-25F, 0},
    {-0x1.555556p-2F, -0x1.50ab2ap-2F, -0x1.4ea17ap-2F, -0x1.4b5ae0p-2F, -0x1.47744cp-2F, -0x1.42f142p-2F, -0x1.3b12dep-2F, -0x1.2ea43cp-2F,
     -0x1.202a4cp-2F, -0x1.0fdf3ap-2F, -0x1.e92106p-3F, -0x1.9857f6p-3F, -0x1.427558p-3F, -0x1.d71cf8p-4F, -0x1.bd2a0ep-5F, 0x1.d7372cp-7F,
     0x1.0725aep-4F, 0x1.84382ep-4F, 0x1.c68d74p-4F, 0x1.97d4c2p-4F, 0x1.33e0e0p-4F, 0x1.a85b10p-5F, 0x1.bbdaaap-6F, 0x1.5987f4p-7F,
     0x1.03a04ep-8F, 0x1.80d432p-10F, 0x1.584adep-12F, 0x1.74e066p-15F, 0x1.940f7cp-18F, 0x1.b52466p-21F, 0x1.54547cp-25F, 0},
    {0, 0x1.3ce91ep-5F, 0x1.7aa148p-5F, 0x1.cb9726p-5F, 0x1.0d547ep-4F, 0x1.33c978p-4F, 0x1.6b07d8p-4F, 0x1.af9a38p-4F,
     0x1.ed7796p-4F, 0x1.11e99cp-3F, 0x1.32deb4p-3F, 0x1.4fff98p-3F, 0x1.5c02a8p-3F, 0x1.583974p-3F, 0x1.39dd6ep-3F, 0x1.e93f0ap-4F,
     0x1.474a3ap-4F, 0x1.632fd0p-5F, 0x1.e576c6p-9F, -0x1.59a71ap-6F, -0x1.9b9670p-6F, -0x1.55960ep-6F, -0x1.960b08p-7F, -0x1.518b44p-8F,
     -0x1.0380aap-9F, -0x1.83d810p-11F, -0x1.69eb78p-13F, -0x1.886d3cp-16F, -0x1.a94fbcp-19F, -0x1.cc2488p-22F, -0x1.a917b6p-26F, 0},
    {0x1.111112p-3F, 0x1.07c0e6p-3F, 0x1.05bffcp-3F, 0x1.0034c0p-3F, 0x1.f3744ap-4F, 0x1.e4bc3ap-4F, 0x1.ca893ep-4F, 0x1.a25e54p-4F,
     0x1.74a328p-4F, 0x1.428a2ap-4F, 0x1.e3cb2cp-5F, 0x1.05c76cp-5F, 0x1.850e06p-8F, -0x1.190b44p-6F, -0x1.63e0cap-5F, -0x1.f82690p-5F,
     -0x1.00a126p-4F, -0x1.b29938p-5F, -0x1.068efep-5F, -0x1.3846aap-7F, 0x1.6a9c88p-10F, 0x1.2d3a90p-8F, 0x1.048780p-8F, 0x1.f654fep-10F,
     0x1.9489c0p-11F, 0x1.333e60p-12F, 0x1.20340ap-14F, 0x1.391b92p-17F, 0x1.536f6cp-20F, 0x1.6f3f28p-23F, 0x1.51026cp-27F, 0},
};
// clang-format on

[[gnu::always_inline]] inline float tanh_of(float x) {
  constexpr std::uint32_t kSign = 1U << 31;
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t magnitude = (bits & ~kSign) < kTanhLast ? bits & ~kSign : kTanhLast;
  const std::uint32_t interval = ((magnitude > kTanhFirst ? magnitude : kTanhFirst) - kTanhFirst) >> kTanhShift;
  const float y = __builtin_bit_cast(float, magnitude) - kTanh[0][interval];
  float p = kTanh[6][interval];
  for (unsigned line = 5; line > 0; --line) p = __builtin_fmaf(p, y, kTanh[line][interval]);
  return x == x ? __builtin_copysignf(p, x) : x;
}

}  // namespace cox::model::unity
