// SPDX-License-Identifier: MIT
// softmax_rows() for the control core's vector unit. It handles four columns at a time, with the same operations as softmax_rows.cpp. MVE
// arithmetic always rounds to nearest even, treats subnormals as zero and produces only the NaN 0x7FC00000. Treating subnormals as zero
// changes no result: kLeastDifference prevents subnormal FP32 weights, and the exponential of a subnormal number is that of 0.
#include <arm_mve.h>

#include <bit>
#include <limits>

#include "coxswain/kernels/cube/softmax_rows.h"

namespace cox::kernels::cube {
namespace {

constexpr std::uint32_t kLanes = 4;

/// Computes the same as clamped_exponential() (isa/numbers), but without the clamps.
inline float32x4_t exponential(float32x4_t x) {
  const float32x4_t round = vdupq_n_f32(12582912.0F);
  const float32x4_t n = vsubq_f32(vaddq_f32(vmulq_n_f32(x, 1.44269504F), round), round);
  const float32x4_t reduced = vsubq_f32(x, vmulq_n_f32(n, 0.693359375F));
  const float32x4_t r = vsubq_f32(reduced, vmulq_n_f32(n, -2.12194440e-4F));
  float32x4_t p = vmulq_n_f32(r, 1.9875691500e-4F);
  p = vmulq_f32(vaddq_n_f32(p, 1.3981999507e-3F), r);
  p = vmulq_f32(vaddq_n_f32(p, 8.3334519073e-3F), r);
  p = vmulq_f32(vaddq_n_f32(p, 4.1665795894e-2F), r);
  p = vmulq_f32(vaddq_n_f32(p, 1.6666665459e-1F), r);
  p = vmulq_f32(vaddq_n_f32(p, 5.0000001201e-1F), vmulq_f32(r, r));
  p = vaddq_n_f32(vaddq_f32(p, r), 1.0F);
  const int32x4_t power = vshlq_n_s32(vaddq_n_s32(vcvtq_s32_f32(n), 127), 23);
  return vmulq_f32(p, vreinterpretq_f32_s32(power));
}

/// Returns the weights in BF16: the upper halves of their bits, rounded half to even. The only NaN that occurs, 0x7FC00000, becomes 0x7FC0.
inline uint32x4_t to_bfloat16(float32x4_t weight) {
  const uint32x4_t bits = vreinterpretq_u32_f32(weight);
  const uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(1));
  return vshrq_n_u32(vaddq_u32(vaddq_n_u32(bits, 0x7FFF), odd), 16);
}

inline uint32x4_t to_half(float32x4_t weight) {
  const uint32x4_t bits = vreinterpretq_u32_f32(weight);
  const uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 13), vdupq_n_u32(1));
  const uint32x4_t normal = vshrq_n_u32(vaddq_u32(vaddq_n_u32(bits, 0xFFFU - (112U << 23)), odd), 13);
  const uint32x4_t subnormal = vsubq_n_u32(vreinterpretq_u32_f32(vaddq_n_f32(weight, 0.5F)), std::bit_cast<std::uint32_t>(0.5F));
  const uint32x4_t number = vpselq_u32(subnormal, normal, vcmpltq_n_f32(weight, 0x1p-14F));
  return vpselq_u32(number, vdupq_n_u32(0x7E00), vcmpeqq_f32(weight, weight));
}

float maximum_of(const float *scores, std::uint32_t count) {
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  float32x4_t most = vdupq_n_f32(kNothing);
  for (std::uint32_t column = 0; column < count; column += kLanes) {
    const mve_pred16_t present = vctp32q(count - column);
    const float32x4_t score = vldrwq_z_f32(scores + column, present);
    most = vpselq_f32(score, most, vcmpgtq_m_f32(score, most, present));  // a NaN is never greater, so it never becomes the maximum
  }
  const float maximum = vmaxnmvq_f32(kNothing, most);
  return maximum == kNothing ? 0 : maximum;
}

/// Replaces each score by exp(score - maximum) and returns the sum of the results.
float powers_of(float *scores, std::uint32_t count, float maximum) {
  float32x4_t sums = vdupq_n_f32(0);
  for (std::uint32_t column = 0; column < count; column += kLanes) {
    const mve_pred16_t present = vctp32q(count - column);
    const float32x4_t difference = vsubq_n_f32(vldrwq_z_f32(scores + column, present), maximum);
    // Uses "greater" with swapped operands, because this unit's "less" is true for a NaN, too.
    const mve_pred16_t nothing = vcmpgtq_f32(vdupq_n_f32(kLeastDifference), difference);
    const float32x4_t power = vpselq_f32(vdupq_n_f32(0), exponential(difference), nothing);
    vstrwq_p_f32(scores + column, power, present);
    sums = vaddq_m_f32(sums, sums, power, present);
  }
  return (vgetq_lane_f32(sums, 0) + vgetq_lane_f32(sums, 1)) + (vgetq_lane_f32(sums, 2) + vgetq_lane_f32(sums, 3));
}

template <bool IsHalf>
void weights_of(const float *powers, std::uint16_t *weights, std::uint32_t count, float reciprocal) {
  for (std::uint32_t column = 0; column < count; column += kLanes) {
    const mve_pred16_t present = vctp32q(count - column);
    const float32x4_t weight = vmulq_n_f32(vldrwq_z_f32(powers + column, present), reciprocal);
    vstrhq_p_u32(weights + column, IsHalf ? to_half(weight) : to_bfloat16(weight), present);
  }
}

}  // namespace

void softmax_rows(const ScoreRows &scores, isa::cube::Type type) {
  for (std::uint32_t row = 0; row < scores.rows; ++row) {
    std::byte *const first = scores.first + row * scores.pitch;
    auto *const values = reinterpret_cast<float *>(first);
    auto *const weights = reinterpret_cast<std::uint16_t *>(first);
    const std::uint32_t visible = scores.visible_in(row);
    const float sum = powers_of(values, visible, maximum_of(values, visible));
    const float reciprocal = sum == 0 ? 0 : 1 / sum;
    if (type == isa::cube::Type::half) {
      weights_of<true>(values, weights, visible, reciprocal);
    } else {
      weights_of<false>(values, weights, visible, reciprocal);
    }
    for (std::uint32_t column = visible; column < scores.columns; column += kLanes * 2)
      vstrhq_p_u16(weights + column, vdupq_n_u16(0), vctp16q(scores.columns - column));
  }
}

}  // namespace cox::kernels::cube
