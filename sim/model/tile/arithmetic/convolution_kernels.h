// SPDX-License-Identifier: MIT
// The inner loops of convolutions beside that of `Accumulation`, and what follows a sum.
#pragma once

#include <cstdint>

#include "isa/tile/enumerations.h"
#include "sim/model/tile/arithmetic/vector_kernels.h"

namespace cox::model::arithmetic {

/// Sums of one output pixel where each channel has a kernel of its own. Source and weights have `lanes` channels, a multiple of kByteLanes;
/// those that no kernel has may be anything at the source.
struct ByteDepthwise {
  const std::int8_t *pixel = nullptr;     ///< of the source, under the kernel's corner
  const std::int16_t *weights = nullptr;  ///< [tap][lanes]
  std::int64_t lanes = 0;
  const std::int64_t *taps = nullptr;  ///< bytes from the corner to each tap
  std::uint32_t tap_count = 0;
  std::int32_t *sums = nullptr;  ///< [lanes], of what is there already
};
inline constexpr std::int64_t kByteLanes = 8;

/// Number is float, or a 64-bit integer without sign, which wraps: the sums are of that type, and so are the operands as they lie here,
/// integers below 2^31 in magnitude. Sums begin with what is there already, and each is in the order of taps, then channels.
template <typename Number>
struct WordDepthwise {
  const Number *pixel = nullptr;
  const Number *weights = nullptr;     ///< [tap][lanes]
  std::int64_t lanes = 0;              ///< a multiple of kWordLanes
  const std::int64_t *taps = nullptr;  ///< numbers from the corner to each tap
  std::uint32_t tap_count = 0;
  Number *sums = nullptr;  ///< [lanes]
};
inline constexpr std::int64_t kWordLanes = 16;

/// A few output pixels and kWordKernels output channels.
template <typename Number>
struct WordAccumulation {
  const Number *const *pixels = nullptr;  ///< of the source, under the kernel's corner
  std::uint32_t pixel_count = 0;
  const Number *weights = nullptr;     ///< [tap][channel][kWordKernels]
  const std::int64_t *taps = nullptr;  ///< numbers from the corner to each tap
  std::uint32_t tap_count = 0;
  std::uint32_t channels = 0;
  Number *sums = nullptr;  ///< [pixel_count][kWordKernels]
};
inline constexpr std::uint32_t kWordKernels = 32;

/// From sums to elements.
struct Finish {
  const float *scale = nullptr;
  const float *bias = nullptr;
  const float *slope = nullptr;  ///< of PRELU
  bool dequantise = false;
  std::uint8_t clip = 0;
  float dequantisation_scale = 0, dequantisation_zero_point = 0;
  isa::tile::ActMode activation = isa::tile::ActMode::DISABLE;
  float parameter = 0;
  Segments table;  ///< of SILU
  Storage storage;
};

struct ConvolutionKernels {
  void (*byte_depthwise)(const ByteDepthwise &depthwise);
  void (*float_depthwise)(const WordDepthwise<float> &depthwise);
  void (*wide_depthwise)(const WordDepthwise<std::uint64_t> &depthwise);
  void (*accumulate_floats)(const WordAccumulation<float> &accumulation);
  void (*accumulate_wide)(const WordAccumulation<std::uint64_t> &accumulation);
  /// Sums of kernels `first` and up, at most kFinished of them. INT4 one to a byte.
  void (*finish_int32)(const std::int32_t *sums, std::uint32_t first, std::uint32_t count, const Finish &finish, void *out);
  void (*finish_wide)(const std::uint64_t *sums, std::uint32_t first, std::uint32_t count, const Finish &finish, void *out);
  void (*finish_floats)(const float *sums, std::uint32_t first, std::uint32_t count, const Finish &finish, void *out);
};
inline constexpr std::uint32_t kFinished = 64;

}  // namespace cox::model::arithmetic
