// SPDX-License-Identifier: MIT
#include "coxswain/tflite/multiplier.h"

#include <bit>

namespace cox::tflite {

QuantisedMultiplier quantised_multiplier(double value) {
  // frexp() and the rounding of TensorFlow Lite, on the bits of the number: value = mantissa * 2^(exponent - 53), mantissa in [2^52, 2^53).
  constexpr unsigned kMantissaBits = 52;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto biased = static_cast<std::int32_t>(bits >> kMantissaBits & 0x7FF);
  if (biased == 0) return {};  // zero, or far below 2^-32
  const std::uint64_t mantissa = (bits & ((std::uint64_t{1} << kMantissaBits) - 1)) | std::uint64_t{1} << kMantissaBits;
  std::int32_t shift = biased - 1022;
  constexpr unsigned kDropped = kMantissaBits + 1 - 31;
  std::uint64_t rounded = (mantissa + (std::uint64_t{1} << (kDropped - 1))) >> kDropped;
  if (rounded == std::uint64_t{1} << 31) {
    rounded >>= 1;
    ++shift;
  }
  if (shift < -31) return {};
  return {static_cast<std::int32_t>(rounded), shift};
}

QuantisedMultiplier ChannelScales::multiplier(std::size_t channel) const {
  const float weight = weights[count == 1 ? 0 : channel];
  const double product = single_precision ? static_cast<double>(input * weight) : static_cast<double>(input) * static_cast<double>(weight);
  return quantised_multiplier(product / static_cast<double>(output));
}

std::int32_t input_radius(unsigned integer_bits, std::int32_t shift) {
  const std::int64_t largest = ((std::int64_t{1} << integer_bits) - 1) << (31 - integer_bits);
  if (shift >= 0) return shift > 62 ? 0 : static_cast<std::int32_t>(largest >> shift);
  const std::int64_t scaled = shift < -31 ? INT64_MAX : largest << -shift;
  return scaled > INT32_MAX ? INT32_MAX : static_cast<std::int32_t>(scaled);
}

}  // namespace cox::tflite
