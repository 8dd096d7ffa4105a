// SPDX-License-Identifier: MIT
// SIMD operations on widened elements, for one instruction set (kernels_numbers.h says why the functions have internal linkage). The loops
// are plain, so that the compiler uses the vectors of its instruction set. Products that are saturated to 32 bits are computed as FP64: it
// has the exact product if that fits into 53 bits, and otherwise a product far beyond 32 bits.
#pragma once

#include "sim/model/pim/arithmetic/kernels.h"
#include "sim/model/pim/arithmetic/simd_block.h"

namespace cox::model::pim {
namespace {

constexpr std::int32_t kSmallest32 = -2147483647 - 1;
constexpr std::int32_t kLargest32 = 2147483647;

inline std::int32_t saturated_sum(std::int32_t a, std::int32_t b) {
  const auto sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  const bool overflow = ((a ^ sum) & (b ^ sum)) < 0;
  return overflow ? (a >> 31) ^ kLargest32 : sum;
}

inline std::int32_t saturated_real(double value) {
  const double above = value > kSmallest32 ? value : kSmallest32;
  return static_cast<std::int32_t>(above < kLargest32 ? above : kLargest32);
}

inline std::int32_t vector_high_product(std::int32_t a, std::int32_t b) {
  const std::int64_t product = std::int64_t{a} * b + (std::int64_t{1} << 30);
  const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 31);
  // Only the product of the two smallest numbers gives 2^31. No product gives -2^31.
  return static_cast<std::int32_t>(high - (high == 0x80000000U ? 1U : 0U));
}

/// rounded_shift() of a shift from 0 to 31.
inline std::int32_t vector_rounded_shift(std::int32_t x, std::uint32_t shift) {
  const std::uint32_t sign = x < 0 ? ~0U : 0U;
  const std::uint32_t magnitude = (static_cast<std::uint32_t>(x) ^ sign) - sign;
  const std::uint32_t rounded = (magnitude + ((1U << shift) >> 1)) >> shift;
  return static_cast<std::int32_t>((rounded ^ sign) - sign);
}

/// x * 2^shift, saturated. `shift` is 0 to 31.
inline std::int32_t saturated_power(std::int32_t x, std::uint32_t shift) {
  const auto power = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << shift);
  return power >> shift == x ? power : (x >> 31) ^ kLargest32;
}

inline std::int32_t vector_multiplied(std::int32_t x, std::int32_t multiplier, std::int32_t shift) {
  const auto left = static_cast<std::uint32_t>(shift < 0 ? -shift : 0);
  const auto right = static_cast<std::uint32_t>(shift > 0 ? shift : 0);
  return vector_rounded_shift(vector_high_product(saturated_power(x, left), multiplier), right);
}

template <typename Result>
void for_each_element(const SimdRow &row, Result result) {
  // Variables that no store can change, so that the compiler sees how long the loop is.
  const std::uint32_t count = row.count;
  const std::int32_t low = row.low, high = row.high;
  std::int32_t *__restrict out = row.out;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t value = result(i);
    const std::int32_t above = value > low ? value : low;
    out[i] = above < high ? above : high;
  }
}

void quantify_resadd(const SimdRow &row) {
  using Block = ResaddBlock;
  const std::int32_t *a = row.in[0], *b = row.in[1];
  const std::int32_t *block = row.block;
  const double scale = 1 << row.headroom, zero1 = block[Block::zero1], zero2 = block[Block::zero2];
  const std::int32_t multiplier1 = block[Block::multiplier1], shift1 = block[Block::shift1];
  const std::int32_t multiplier2 = block[Block::multiplier2], shift2 = block[Block::shift2];
  const std::int32_t multiplier = block[Block::multiplier], shift = block[Block::shift], zero = block[Block::zero];
  for_each_element(row, [=](std::uint32_t i) {
    const std::int32_t t1 = vector_multiplied(saturated_real((a[i] - zero1) * scale), multiplier1, shift1);
    const std::int32_t t2 = vector_multiplied(saturated_real((b[i] - zero2) * scale), multiplier2, shift2);
    return saturated_sum(vector_multiplied(saturated_sum(t1, t2), multiplier, shift), zero);
  });
}

void quantify_multiply(const SimdRow &row) {
  using Block = MultiplyBlock;
  const std::int32_t *a = row.in[0], *b = row.in[1];
  const double zero1 = row.block[Block::zero1], zero2 = row.block[Block::zero2];
  const std::int32_t multiplier = row.block[Block::multiplier], shift = row.block[Block::shift], zero = row.block[Block::zero];
  for_each_element(row, [=](std::uint32_t i) {
    const std::int32_t product = saturated_real((a[i] - zero1) * (b[i] - zero2));
    return saturated_sum(vector_multiplied(product, multiplier, shift), zero);
  });
}

void simd(const SimdRow &row) {
  using isa::pim::SimdOpcode;
  const std::int32_t *a = row.in[0], *b = row.in[1], *c = row.in[2], *d = row.in[3];
  switch (row.opcode) {
    case SimdOpcode::add:
    case SimdOpcode::add_scalar: return for_each_element(row, [=](std::uint32_t i) { return saturated_sum(a[i], b[i]); });
    case SimdOpcode::multiply:
      return for_each_element(row, [=](std::uint32_t i) { return saturated_real(static_cast<double>(a[i]) * b[i]); });
    case SimdOpcode::quantify:
      return for_each_element(row, [=](std::uint32_t i) { return saturated_sum(vector_multiplied(a[i], b[i], c[i]), d[i]); });
    case SimdOpcode::quantify_resadd: return quantify_resadd(row);
    case SimdOpcode::quantify_multiply: return quantify_multiply(row);
    case SimdOpcode::maximum: return for_each_element(row, [=](std::uint32_t i) { return a[i] > b[i] ? a[i] : b[i]; });
    case SimdOpcode::relu: return for_each_element(row, [=](std::uint32_t i) { return a[i] > 0 ? a[i] : 0; });
    case SimdOpcode::average:
      // The quotient of two numbers below 2^53 never rounds up to the next integer.
      return for_each_element(row, [=](std::uint32_t i) {
        const std::int32_t half = b[i] >> 1;
        const double sum = static_cast<double>(a[i]) + (a[i] < 0 ? -half : half);
        return static_cast<std::int32_t>(sum / b[i]);
      });
  }
}

}  // namespace
}  // namespace cox::model::pim
