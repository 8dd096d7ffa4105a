// SPDX-License-Identifier: MIT
// The inner loops of the fast path, built once for each instruction set. All sets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/model/unity/arithmetic/real_kernels.h"

namespace cox::model::unity {

/// Numbers in a line of weights, and in a patch of inputs: a multiple of this. Those behind the last product have weight 0.
inline constexpr std::size_t kLine = 32;

/// Sums of several outputs become results: clamp(requantised(sum + bias, multiplier, shift) + zero, low, high).
struct Requantisation {
  const std::int32_t *bias = nullptr, *multiplier = nullptr, *shift = nullptr, *zero = nullptr;  ///< one an output
  std::int64_t low = 0, high = 0;
};

/// TensorFlow Lite's ADD and SUB on s8.
struct ScaledAdd {
  const std::int8_t *first = nullptr, *second = nullptr;
  std::int32_t first_zero = 0, second_zero = 0;
  unsigned left_shift = 0;
  std::int32_t first_multiplier = 0, first_shift = 0, second_multiplier = 0, second_shift = 0;
  bool subtract = false;
  std::int32_t multiplier = 0, shift = 0, zero = 0;
  std::int32_t low = 0, high = 0;  ///< within s8
};

struct Kernels {
  const char *name;
  /// sums[o] = sum over k of patch[k] * weights[o * length + k], modulo 2^32. `length` is a multiple of kLine.
  void (*multiply)(const std::int16_t *patch, const std::int16_t *weights, std::size_t length, std::size_t outputs, std::int32_t *sums);
  /// sums[o] = sum over taps t of pixel[offsets[t] + o] * weights[t * outputs + o], modulo 2^32.
  void (*multiply_channels)(const std::int16_t *pixel, const std::ptrdiff_t *offsets, std::size_t taps, const std::int16_t *weights,
                            std::size_t outputs, std::int32_t *sums);
  /// Replaces each sum by its result.
  void (*requantise)(const Requantisation &requantisation, std::size_t outputs, std::int32_t *sums);
  /// `result` may be one of the sources.
  void (*add)(const ScaledAdd &operation, std::size_t count, std::int8_t *result);
  RealKernels real;
};

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;  ///< with VNNI
#endif

}  // namespace cox::model::unity
