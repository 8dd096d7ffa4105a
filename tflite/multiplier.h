// SPDX-License-Identifier: MIT
// Multipliers in fixed point, with the bits that TensorFlow Lite computes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/tflite/tensor.h"

namespace cox::tflite {

/// The real number multiplier / 2^31 * 2^shift. The multiplier is 0 or in [2^30, 2^31).
struct QuantisedMultiplier {
  std::int32_t multiplier = 0;
  std::int32_t shift = 0;  ///< -31 to 30

  friend bool operator==(const QuantisedMultiplier &, const QuantisedMultiplier &) = default;
};

inline constexpr std::int32_t kMaxShift = 30;

/// Returns the nearest multiplier, halves away from zero. The result is {0, 0} if `value` is below 2^-32. `value` is finite and not
/// negative. A shift above kMaxShift is returned as it is.
[[nodiscard]] QuantisedMultiplier quantised_multiplier(double value);

/// The scales of a convolution or a fully connected layer.
struct ChannelScales {
  float input = 1, output = 1;
  const float *weights = nullptr;  ///< one, or one for each output channel
  std::uint32_t count = 1;
  /// True if TensorFlow Lite multiplies the scales of input and weights in single precision: FULLY_CONNECTED with one scale.
  bool single_precision = false;

  /// Returns the multiplier for the accumulators of an output channel. `channel` is below the number of output channels.
  [[nodiscard]] QuantisedMultiplier multiplier(std::size_t channel) const;
};

/// Returns the largest |q - zero point| that the fixed-point exponential of `integer_bits` bits, or the logistic function or the hyperbolic
/// tangent, can scale with a left shift of `shift`.
[[nodiscard]] std::int32_t input_radius(unsigned integer_bits, std::int32_t shift);

}  // namespace cox::tflite
