// SPDX-License-Identifier: MIT
// Conversion with the control core's vector unit (docs/mx9.md, On the control core). The functions handle four vectors at a time, as VLD4
// loads them: vector k holds elements k, k + 4, k + 8 and k + 12. So the two elements of an even pair are in the same lane of vectors 0 and
// 1. The two elements of an odd pair are in the same lane of vectors 2 and 3.
//
// An element's mantissa M counts units of the element's last bit. To round M half to even, pack() adds 1.5 * 2^23 units in floating point:
// the last bit of the sum is worth one unit, so the addition rounds to whole units. M with its sign is then the low half of the sum. MVE
// arithmetic ignores the modes of FPSCR: it always rounds to nearest even and treats subnormals as zero, as MX9 requires.
//
// isa/numbers/mx9_block.h converts the blocks that this file cannot convert. pack() cannot convert NaN blocks and blocks whose sums would
// leave FP32's range. unpack() cannot convert NaN blocks and blocks whose exponent is so small that elements may be subnormal in FP32.
#include <arm_mve.h>

#include <algorithm>

#include "coxswain/isa/numbers/bfloat16.h"
#include "coxswain/kernels/mx/block_conversion.h"

namespace cox::kernels::mx {

using isa::mx::Block;
using isa::mx::kBlockElements;

namespace {

constexpr unsigned kFractionBits = 23;
constexpr unsigned kMantissaBits = 6;
constexpr std::uint32_t kOneExponent = 1U << kFractionBits;
/// pack() adds 1.5 * 2^23 units to an element, which rounds it to whole units. A unit is the value of the last bit of an MX9 mantissa.
/// kRounding holds the FP32 bits of 1.5 * 2^23 units for a block with exponent 0. pack() adds the block's exponent to its exponent field.
constexpr std::uint32_t kRounding = (kFractionBits - kMantissaBits) << kFractionBits | 1U << (kFractionBits - 1);
/// The largest block exponent that pack() converts. With a larger one, the number that pack() adds for rounding would exceed FP32's range.
constexpr std::uint32_t kLargestFastExponent = 254 - (kFractionBits - kMantissaBits);
/// The smallest exponent of a block for which no element is an FP32 subnormal, whatever its D bits are (docs/mx9.md).
constexpr std::uint32_t kSmallestFastExponent = kMantissaBits + 2;
constexpr std::array<std::uint32_t, 4> kPairWeights = {1, 4, 16, 64};  ///< the D bits of even pairs in Block::pair_shift
constexpr std::array<std::int32_t, 4> kPairToSign = {31, 29, 27, 25};  ///< shifts that bring an even pair's D bit to bit 31

/// Returns the larger exponent of each pair, in the top byte: the shift removes the sign.
uint32x4_t larger(uint32x4_t a, uint32x4_t b) { return vmaxq_u32(vshlq_n_u32(a, 1), vshlq_n_u32(b, 1)); }

/// Returns false if isa/numbers/mx9_block.h must convert the block.
inline bool pack(const uint32x4x4_t &elements, Block &block) {
  uint32x4_t even = larger(elements.val[0], elements.val[1]);
  uint32x4_t odd = larger(elements.val[2], elements.val[3]);
  const std::uint32_t exponent = vmaxvq_u32(vmaxvq_u32(0, even), odd) >> (kFractionBits + 1);
  if (exponent - 1 >= kLargestFastExponent) {
    if (exponent == 0) block = Block();  // common after a ReLU
    return exponent == 0;
  }

  // Subtracts the block's exponent from the pair's, and halves the difference because the whole difference does not fit 32 bits. The sign
  // bit of the result is set if the pair's exponent is below the block's.
  const std::uint32_t limit = exponent << (kFractionBits + 1);
  even = vshrq_n_u32(vhsubq_n_u32(even, limit), 31);
  odd = vshrq_n_u32(vhsubq_n_u32(odd, limit), 31);
  const uint32x4_t weights = vld1q_u32(kPairWeights.data());
  const std::uint32_t pair_shift = vmladavq_u32(even, weights) + 2 * vmladavq_u32(odd, weights);

  const std::uint32_t rounding = (exponent << kFractionBits) + kRounding;
  const uint32x4_t step = vdupq_n_u32(0U - kOneExponent);
  const float32x4_t round_even = vreinterpretq_f32_u32(vmlasq_n_u32(even, step, rounding));
  const float32x4_t round_odd = vreinterpretq_f32_u32(vmlasq_n_u32(odd, step, rounding));
  const float32x4_t sum0 = vaddq_f32(vreinterpretq_f32_u32(elements.val[0]), round_even);
  const float32x4_t sum1 = vaddq_f32(vreinterpretq_f32_u32(elements.val[1]), round_even);
  const float32x4_t sum2 = vaddq_f32(vreinterpretq_f32_u32(elements.val[2]), round_odd);
  const float32x4_t sum3 = vaddq_f32(vreinterpretq_f32_u32(elements.val[3]), round_odd);

  // The lower 16 bits of each sum are the rounded mantissa as an integer, which is narrowed to 8 bits with saturation. The results are
  // interleaved, so that the elements of m have the order of the block.
  const int16x8_t low = vmovntq_s32(vreinterpretq_s16_f32(sum0), vreinterpretq_s32_f32(sum2));
  const int16x8_t high = vmovntq_s32(vreinterpretq_s16_f32(sum1), vreinterpretq_s32_f32(sum3));
  const int8x16_t m = vqmovntq_s16(vqmovnbq_s16(vreinterpretq_s8_s16(low), low), high);
  // Converts to sign and magnitude: bit 7 of m stays, and |m| goes below it.
  const uint8x16_t magnitude = vreinterpretq_u8_s8(vqabsq_s8(m));
  vst1q_u8(block.elements.data(), vsriq_n_u8(vreinterpretq_u8_s8(m), vshlq_n_u8(magnitude, 1), 1));
  block.exponent = static_cast<std::uint8_t>(exponent);
  block.pair_shift = static_cast<std::uint8_t>(pair_shift);
  return true;
}

/// Returns false if isa/numbers/mx9_block.h must convert the block. Otherwise gives vectors in the same order as pack() takes them.
inline bool unpack(const Block &block, uint32x4x4_t &elements) {
  const std::uint32_t exponent = block.exponent;
  if (exponent - kSmallestFastExponent >= isa::mx::kNanExponent - kSmallestFastExponent) {
    if (exponent == 0) elements = {vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0)};
    return exponent == 0;
  }

  const uint8x16_t bytes = vld1q_u8(block.elements.data());
  // Converts from sign and magnitude: (m ^ s) - s, where s has the sign in all bits (0 or -1).
  const int8x16_t sign = vshrq_n_s8(vreinterpretq_s8_u8(bytes), 7);
  const int8x16_t magnitude = vreinterpretq_s8_u8(vandq_u8(bytes, vdupq_n_u8(0x7F)));
  const int8x16_t m = vsubq_s8(veorq_s8(magnitude, sign), sign);
  const int16x8_t low = vmovlbq_s8(m);
  const int16x8_t high = vmovltq_s8(m);

  const std::uint32_t unit = (exponent - kMantissaBits) << kFractionBits;
  const int32x4_t to_sign = vld1q_s32(kPairToSign.data());
  const std::uint32_t pair_shift = block.pair_shift;
  const uint32x4_t even = vshrq_n_u32(vshlq_u32(vdupq_n_u32(pair_shift), to_sign), 31);
  const uint32x4_t odd = vshrq_n_u32(vshlq_u32(vdupq_n_u32(pair_shift >> 1), to_sign), 31);
  const uint32x4_t step = vdupq_n_u32(0U - kOneExponent);
  const float32x4_t unit_even = vreinterpretq_f32_u32(vmlasq_n_u32(even, step, unit));
  const float32x4_t unit_odd = vreinterpretq_f32_u32(vmlasq_n_u32(odd, step, unit));
  elements.val[0] = vreinterpretq_u32_f32(vmulq_f32(vcvtq_f32_s32(vmovlbq_s16(low)), unit_even));
  elements.val[1] = vreinterpretq_u32_f32(vmulq_f32(vcvtq_f32_s32(vmovlbq_s16(high)), unit_even));
  elements.val[2] = vreinterpretq_u32_f32(vmulq_f32(vcvtq_f32_s32(vmovltq_s16(low)), unit_odd));
  elements.val[3] = vreinterpretq_u32_f32(vmulq_f32(vcvtq_f32_s32(vmovltq_s16(high)), unit_odd));
  return true;
}

/// A Spread in vectors: the offset of each of the 16 elements, and whether the element exists (i < Spread::elements). Element i is in lane
/// i / 4 of vector i % 4.
struct SpreadVectors {
  std::array<uint32x4_t, 4> offsets;
  std::array<mve_pred16_t, 4> present;
};

SpreadVectors vectors_of(const Spread &spread) {
  SpreadVectors vectors{};
  std::array<std::uint32_t, kBlockElements> offsets;
  std::copy(spread.offsets.begin(), spread.offsets.end(), offsets.begin());
  const uint32x4_t lane = vidupq_n_u32(0, 4);
  for (std::uint32_t k = 0; k < 4; ++k) {
    vectors.offsets[k] = vldrwq_gather_shifted_offset_u32(offsets.data() + k, lane);
    vectors.present[k] = vcmphiq_u32(vdupq_n_u32(spread.elements), vaddq_n_u32(lane, k));
  }
  return vectors;
}

// Loads the elements of vector `k`. Callers write one call for each k from 0 to 3. In a loop over k, the compiler would keep the vectors in
// memory instead of registers.
inline uint32x4_t gather(const std::uint32_t *source, const SpreadVectors &vectors, std::size_t k) {
  return vldrwq_gather_shifted_offset_z_u32(source, vectors.offsets[k], vectors.present[k]);
}

inline void scatter(std::uint32_t *destination, const SpreadVectors &vectors, const uint32x4x4_t &elements, std::size_t k) {
  vstrwq_scatter_shifted_offset_p_u32(destination, vectors.offsets[k], elements.val[k], vectors.present[k]);
}

}  // namespace

void pack_blocks(const float *values, std::span<Block> blocks) {
  for (Block &block : blocks) {
    if (!pack(vld4q_u32(reinterpret_cast<const std::uint32_t *>(values)), block)) {
      block = isa::mx::quantise(std::span<const float, kBlockElements>(values, kBlockElements));
    }
    values += kBlockElements;
  }
}

void pack_blocks(const std::uint16_t *bfloat16_values, std::span<Block> blocks) {
  for (Block &block : blocks) {
    const uint16x8x2_t halves = vld2q_u16(bfloat16_values);
    const uint32x4_t even = vreinterpretq_u32_u16(halves.val[0]);
    const uint32x4_t odd = vreinterpretq_u32_u16(halves.val[1]);
    const uint32x4_t upper = vdupq_n_u32(0xFFFF0000);
    const uint32x4x4_t elements = {vshlq_n_u32(even, 16), vshlq_n_u32(odd, 16), vandq_u32(even, upper), vandq_u32(odd, upper)};
    if (!pack(elements, block)) {
      std::array<float, kBlockElements> values;
      std::transform(bfloat16_values, bfloat16_values + kBlockElements, values.begin(), isa::numbers::bfloat16_to_float);
      block = isa::mx::quantise(values);
    }
    bfloat16_values += kBlockElements;
  }
}

void pack_spread(const float *first, const Spread &spread, std::span<Block> blocks) {
  const SpreadVectors vectors = vectors_of(spread);
  const auto *source = reinterpret_cast<const std::uint32_t *>(first);
  for (Block &block : blocks) {
    const uint32x4x4_t elements = {gather(source, vectors, 0), gather(source, vectors, 1), gather(source, vectors, 2),
                                   gather(source, vectors, 3)};
    if (!pack(elements, block)) {
      std::array<std::uint32_t, kBlockElements> bits;
      vst4q_u32(bits.data(), elements);
      block = isa::mx::quantise(std::span<const float, kBlockElements>(reinterpret_cast<const float *>(bits.data()), kBlockElements));
    }
    source += spread.step;
  }
}

void unpack_blocks(std::span<const Block> blocks, float *values) {
  for (const Block &block : blocks) {
    if (uint32x4x4_t elements; unpack(block, elements)) {
      vst4q_u32(reinterpret_cast<std::uint32_t *>(values), elements);
    } else {
      isa::mx::dequantise(block, std::span<float, kBlockElements>(values, kBlockElements));
    }
    values += kBlockElements;
  }
}

void unpack_blocks(std::span<const Block> blocks, std::uint16_t *bfloat16_values) {
  for (const Block &block : blocks) {
    if (uint32x4x4_t elements; unpack(block, elements)) {
      // A BF16 is the upper half of an FP32. The lower half is 0 here, because an MX9 mantissa has only 7 bits. Vectors 0 and 2 hold the
      // even elements.
      const uint32x4_t even = vsriq_n_u32(elements.val[2], elements.val[0], 16);
      const uint32x4_t odd = vsriq_n_u32(elements.val[3], elements.val[1], 16);
      const uint16x8x2_t halves = {vreinterpretq_u16_u32(even), vreinterpretq_u16_u32(odd)};
      vst2q_u16(bfloat16_values, halves);
    } else {
      std::array<float, kBlockElements> values;
      isa::mx::dequantise(block, values);
      std::transform(values.begin(), values.end(), bfloat16_values, isa::numbers::bfloat16_from_float);
    }
    bfloat16_values += kBlockElements;
  }
}

void unpack_spread(std::span<const Block> blocks, const Spread &spread, float *first) {
  const SpreadVectors vectors = vectors_of(spread);
  auto *destination = reinterpret_cast<std::uint32_t *>(first);
  for (const Block &block : blocks) {
    uint32x4x4_t elements;
    if (!unpack(block, elements)) {
      std::array<float, kBlockElements> values;
      isa::mx::dequantise(block, values);
      elements = vld4q_u32(reinterpret_cast<const std::uint32_t *>(values.data()));
    }
    scatter(destination, vectors, elements, 0);
    scatter(destination, vectors, elements, 1);
    scatter(destination, vectors, elements, 2);
    scatter(destination, vectors, elements, 3);
    destination += spread.step;
  }
}

}  // namespace cox::kernels::mx
