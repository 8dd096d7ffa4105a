// SPDX-License-Identifier: MIT
// From the sum of products to the result of a convolution.
#pragma once

#include "sim/model/unity/arithmetic/parameter.h"
#include "sim/model/unity/arithmetic/requantisation.h"

namespace cox::model::unity {

/// Bias, multiplier, shift, scale and clip of one convolution. The operation must outlive this object.
class ConvolutionFinish {
 public:
  ConvolutionFinish(const isa::unity::Convolution &operation, Memory &memory) : operation_(operation) {
    if (operation.plain) return;
    bias = {memory, operation.bias, operation.result};
    scale = {memory, operation.scale, operation.result};
    if (!operation.has_multiplier) return;
    multiplier = {memory, operation.multiplier, operation.result};
    shift = {memory, operation.shift, operation.result};
  }

  /// Result bits of element (h, w, o) from a sum modulo 2^64.
  [[nodiscard]] std::uint64_t whole(std::uint64_t sum, std::uint32_t h, std::uint32_t w, std::uint32_t o) const {
    const Unit unit = operation_.result.unit;
    if (operation_.plain) return is_float(unit) ? stored(whole_of(static_cast<std::int64_t>(sum)), unit, false) : sum & 0xFFFFFFFF;
    const auto total = static_cast<std::int64_t>(sum + static_cast<std::uint64_t>(bias.integer(h, w, o)));
    const Whole zero = scale.number(h, w, o);
    if (!operation_.has_multiplier) return finished(whole_of(total) + zero, operation_.clip, unit);
    if (is_float(operation_.multiplier.unit))
      return finished(scaled_sum(whole_of(total), multiplier.real(h, w, o), zero), operation_.clip, unit);
    const auto factor = static_cast<std::int32_t>(multiplier.integer(h, w, o)), places = static_cast<std::int32_t>(shift.integer(h, w, o));
    return finished(requantised_sum(total, factor, places, zero), operation_.clip, unit);
  }

  /// Result bits of element (h, w, o) from a sum in FP32 or FP64.
  template <typename Real>
  [[nodiscard]] std::uint64_t real(Real sum, std::uint32_t h, std::uint32_t w, std::uint32_t o) const {
    if (operation_.plain) return finished(static_cast<double>(sum), {}, operation_.result.unit);
    sum += static_cast<Real>(bias.real(h, w, o));
    if (operation_.has_multiplier) sum *= static_cast<Real>(multiplier.real(h, w, o));
    sum += static_cast<Real>(scale.real(h, w, o));
    return finished(static_cast<double>(sum), operation_.clip, operation_.result.unit);
  }

  ParameterValues bias, multiplier, shift, scale;  ///< those that the operation has

 private:
  const isa::unity::Convolution &operation_;
};

/// Bytes from the first to the last weight.
[[nodiscard]] constexpr std::uint64_t kernel_bytes(const isa::unity::Convolution::Kernel &kernel, const isa::unity::Depth &depth = {}) {
  const std::uint64_t last = (kernel.number - 1) * kernel.number_step + (depth.kernel - 1) * depth.kernel_step +
                             (kernel.height - 1) * kernel.row + (kernel.width - 1) * kernel.column + (kernel.channels - 1) * kernel.channel;
  return (last + nibbles_of(kernel.unit) + 1) / 2;
}

}  // namespace cox::model::unity
