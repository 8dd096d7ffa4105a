// SPDX-License-Identifier: MIT
// Converts INT32 results to INT8 with the same bits as TensorFlow Lite (docs/kernels/cube.md, The bits of TensorFlow Lite). Each result is
// multiplied by a fixed-point factor, and the product is rounded twice. It runs on the control core or the host and needs no device.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace cox::kernels::cube {

/// The factor multiplier * 2^(shift - 31). `multiplier` is 0, or from 2^30 to 2^31 - 1; `shift` is from -31 to 30.
struct QuantizedMultiplier {
  std::int32_t multiplier = 0;
  int shift = 0;
};

/// Returns the factor as TensorFlow Lite's QuantizeMultiplier() does. `factor` is 0, or positive and less than 2^30.
inline QuantizedMultiplier quantize_multiplier(double factor) {
  constexpr std::int64_t kOne = std::int64_t{1} << 31;
  constexpr int kLeastShift = -31;
  if (factor == 0) return {};
  QuantizedMultiplier result;
  auto multiplier = static_cast<std::int64_t>(std::round(std::frexp(factor, &result.shift) * static_cast<double>(kOne)));
  if (multiplier == kOne) {
    multiplier /= 2;
    ++result.shift;
  }
  if (result.shift < kLeastShift) return {};
  result.multiplier = static_cast<std::int32_t>(multiplier);
  return result;
}

/// Returns `value` times the factor as TensorFlow Lite's MultiplyByQuantizedMultiplier() does without TFLITE_SINGLE_ROUNDING. It takes the
/// upper 32 bits of the doubled product and rounds ties up. It then shifts to the right and rounds ties away from 0.
constexpr std::int32_t multiply_by_quantized_multiplier(std::int32_t value, const QuantizedMultiplier &factor) {
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  const int left = std::max(factor.shift, 0), right = std::max(-factor.shift, 0);
  const auto shifted = static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << left);
  if (shifted == kLeast && factor.multiplier == kLeast) return std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kHalf = std::int64_t{1} << 30;
  const std::int64_t high = (std::int64_t{shifted} * factor.multiplier + kHalf) >> 31;
  if (right == 0) return static_cast<std::int32_t>(high);
  const std::int64_t half = std::int64_t{1} << (right - 1);
  return static_cast<std::int32_t>((high + half - (high < 0 ? 1 : 0)) >> right);
}

/// Converts a row of INT32 results to INT8. The row has one result for each channel. Each result is multiplied by its channel's factor; the
/// zero point is added, and the sum is clamped to the range from `least` to `most`. For a fused ReLU, `least` is the zero point and `most`
/// is 127. `factors` has one entry for each result, or one entry for all results.
constexpr void tflite_requantise(std::span<const std::int32_t> results, std::span<const QuantizedMultiplier> factors,
                                 std::int32_t zero_point, std::int8_t least, std::int8_t most, std::span<std::int8_t> output) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const QuantizedMultiplier &factor = factors[factors.size() == 1 ? 0 : i];
    const std::int32_t value = multiply_by_quantized_multiplier(results[i], factor) + zero_point;
    output[i] = static_cast<std::int8_t>(std::clamp<std::int32_t>(value, least, most));
  }
}

}  // namespace cox::kernels::cube
