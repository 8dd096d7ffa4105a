// SPDX-License-Identifier: MIT
// The fixed-point arithmetic of TensorFlow Lite's INT8 operators, written from its definition and independent of tflite/ and the kernels.
#pragma once

#include <cstdint>

namespace cox::tests::tflite_reference {

/// Returns the high half of 2ab, rounded to nearest: the product of two numbers with 31 fractional bits.
[[nodiscard]] std::int32_t high_product(std::int32_t a, std::int32_t b);

/// Returns value / 2^bits, halves rounded away from zero. 0 <= bits <= 31.
[[nodiscard]] std::int32_t rounded_quotient(std::int32_t value, int bits);

/// Returns value * multiplier / 2^31 * 2^shift with two roundings. -31 <= shift <= 30.
[[nodiscard]] std::int32_t requantise(std::int32_t value, std::int32_t multiplier, int shift);

/// Returns exp(a) with 31 fractional bits, for `a` <= 0 with `integer_bits` integer bits (at most 5).
[[nodiscard]] std::int32_t exponential(std::int32_t a, int integer_bits);

/// Return 1 / (1 + a) and (1 - a) / (1 + a) for `a` in [0, 1], with 31 fractional bits.
[[nodiscard]] std::int32_t reciprocal_of_one_plus(std::int32_t a);
[[nodiscard]] std::int32_t quotient_of_one_minus_and_one_plus(std::int32_t a);

/// Return functions of `a`, which has 4 integer bits, with 31 fractional bits.
[[nodiscard]] std::int32_t logistic(std::int32_t a);
[[nodiscard]] std::int32_t hyperbolic_tangent(std::int32_t a);

}  // namespace cox::tests::tflite_reference
