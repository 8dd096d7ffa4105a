// SPDX-License-Identifier: MIT
// The inner loops of vector operations, built once for each instruction set; all sets give the same bits. They work on runs of FP32 values
// that stay in the first-level cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/isa/tile/enumerations.h"
#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/segments.h"

namespace cox::model::arithmetic {

/// How source elements become the FP32 numbers with which the operation calculates.
struct Preparation {
  bool dequantise = false;
  float scale = 1, zero_point = 0;
  std::uint8_t rounding = 0;  ///< the value of the field IQCS
  bool multiply = false;
  float multiplier = 1;
};

/// How FP32 numbers become destination elements: number * scale + zero_point, converted to the format. A scale of 1 and a zero point of -0
/// change nothing.
struct Storage {
  float scale = 1, zero_point = -0.0F;
  isa::tile::Float2Fixed rounding = isa::tile::Float2Fixed::ROUND;
  isa::tile::Format format;
};

/// The second operand: a run of values, or one value.
struct Operand {
  const float *values = nullptr;  ///< nullptr: use `value`
  float value = 0;
};

struct VectorKernels {
  const char *name;

  /// Converts elements to numbers. Each INT4 fills a byte.
  void (*load)(const void *in, const isa::tile::Format &format, std::int64_t count, const Preparation &preparation, float *out);
  /// Converts numbers to elements. Each INT4 fills a byte.
  void (*store)(const float *in, std::int64_t count, const Storage &storage, void *out);
  /// values = values * scale + zero_point, rounded after the multiplication and after the addition
  void (*affine)(float scale, float zero_point, std::int64_t count, float *values);
  /// a = a + in * multiplier
  void (*add_scaled)(const float *in, float multiplier, std::int64_t count, float *a);
  void (*arithmetic)(const Operand &b, isa::tile::GroupMode mode, std::int64_t count, float *a);
  void (*compare)(const Operand &b, isa::tile::CompareMode mode, std::int64_t count, float *a);
  void (*table)(const Segments &table, std::int64_t count, float *values);
  /// values = exp(values - subtrahend)
  void (*exponential)(float subtrahend, std::int64_t count, float *values);
  /// Returns the largest (MAX) or smallest (MIN) value. If a value is NaN, the result is NaN. If the result is zero, it has the sign of the
  /// first zero among the values. If there are no values, the result is -Inf (MAX) or Inf (MIN).
  float (*extreme)(const float *in, isa::tile::CompareMode mode, std::int64_t count);
  /// Interpolates between four runs of `count` values. corners[row * 2 + column] is the run of one corner.
  void (*bilinear)(const float *const *corners, float row_fraction, float column_fraction, std::int64_t count, float *out);
};

extern const VectorKernels kPortableVectorKernels;
#if defined(__x86_64__)
extern const VectorKernels kAvx2VectorKernels;
extern const VectorKernels kAvx512VectorKernels;
#endif

}  // namespace cox::model::arithmetic

namespace cox::model::arithmetic::fast {

/// All sets that this host can run, in the order of supported_kernels().
[[nodiscard]] std::span<const VectorKernels *const> supported_vector_kernels();

}  // namespace cox::model::arithmetic::fast
