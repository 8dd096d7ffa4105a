// SPDX-License-Identifier: MIT
// The inner loops of vector operations, once for each instruction set that they are built for; all sets give the same bits. They work
// on runs of FP32 values that stay in the first-level cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/tile/enumerations.h"
#include "isa/tile/operation.h"
#include "sim/model/tile/arithmetic/segments.h"

namespace cox::model::arithmetic {

/// How elements become the operation's numbers.
struct Preparation {
  bool dequantise = false;
  float scale = 1, zero_point = 0;
  std::uint8_t rounding = 0;  ///< IQCS
  bool multiply = false;
  float multiplier = 1;
};

/// How numbers become elements: * scale + zero_point, then the format. A scale of 1 and a zero point of -0 change nothing.
struct Storage {
  float scale = 1, zero_point = -0.0F;
  isa::tile::Float2Fixed rounding = isa::tile::Float2Fixed::ROUND;
  isa::tile::Format format;
};

/// The second operand: a run of values, or one.
struct Operand {
  const float *values = nullptr;  ///< nullptr: `value`
  float value = 0;
};

struct VectorKernels {
  const char *name;

  /// Elements to numbers. INT4 one to a byte.
  void (*load)(const void *in, const isa::tile::Format &format, std::int64_t count, const Preparation &preparation, float *out);
  /// Numbers to elements. INT4 one to a byte.
  void (*store)(const float *in, std::int64_t count, const Storage &storage, void *out);
  /// * scale + zero_point
  void (*affine)(float scale, float zero_point, std::int64_t count, float *values);
  /// a = a + in * multiplier
  void (*add_scaled)(const float *in, float multiplier, std::int64_t count, float *a);
  void (*arithmetic)(const Operand &b, isa::tile::GroupMode mode, std::int64_t count, float *a);
  void (*compare)(const Operand &b, isa::tile::CompareMode mode, std::int64_t count, float *a);
  void (*table)(const Segments &table, std::int64_t count, float *values);
  /// exp(x - subtrahend)
  void (*exponential)(float subtrahend, std::int64_t count, float *values);
  /// The largest or smallest (MAX, MIN), -Inf or Inf where there are none; NaN if one is; the first of zeros.
  float (*extreme)(const float *in, isa::tile::CompareMode mode, std::int64_t count);
  /// corners: [row * 2 + column]
  void (*bilinear)(const float *const *corners, float row_fraction, float column_fraction, std::int64_t count, float *out);
};

extern const VectorKernels kPortableVectorKernels;
#if defined(__x86_64__)
extern const VectorKernels kAvx2VectorKernels;
extern const VectorKernels kAvx512VectorKernels;
#endif

}  // namespace cox::model::arithmetic

namespace cox::model::arithmetic::fast {

/// Every set that this host can run, in the order of supported_kernels().
[[nodiscard]] std::span<const VectorKernels *const> supported_vector_kernels();

}  // namespace cox::model::arithmetic::fast
