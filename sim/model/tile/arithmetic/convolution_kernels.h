// SPDX-License-Identifier: MIT
// The inner loops of the convolutions that `Accumulation` does not cover, and of the conversion from sums to elements.
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/enumerations.h"
#include "sim/model/tile/arithmetic/vector_kernels.h"

namespace cox::model::arithmetic {

/// The sums of one output pixel of a depthwise convolution, in which each channel has a kernel of its own. Source and weights have `lanes`
/// channels, a multiple of kByteLanes. Source channels without a kernel may have any value.
struct ByteDepthwise {
  const std::int8_t *pixel = nullptr;     ///< the source's pixel under the kernel's first tap
  const std::int16_t *weights = nullptr;  ///< [tap][lanes]
  std::int64_t lanes = 0;
  const std::int64_t *taps = nullptr;  ///< distance from the first tap's pixel to each tap's pixel, in bytes
  std::uint32_t tap_count = 0;
  std::int32_t *sums = nullptr;  ///< [lanes]; the products are added to these values
};
inline constexpr std::int64_t kByteLanes = 8;

/// Like ByteDepthwise, for operands that are not bytes. Number is the type of operands and sums: float, or an unsigned 64-bit integer that
/// wraps. Integer operands are sign-extended from 32 bits. Products are added to the values in `sums` tap by tap.
template <typename Number>
struct WordDepthwise {
  const Number *pixel = nullptr;
  const Number *weights = nullptr;     ///< [tap][lanes]
  std::int64_t lanes = 0;              ///< a multiple of kWordLanes
  const std::int64_t *taps = nullptr;  ///< distance from the first tap's pixel to each tap's pixel, in elements of type Number
  std::uint32_t tap_count = 0;
  Number *sums = nullptr;  ///< [lanes]
};
inline constexpr std::int64_t kWordLanes = 16;

/// The sums of a few output pixels and kWordKernels output channels. Products are added to the values in `sums` tap by tap, and within a
/// tap channel by channel.
template <typename Number>
struct WordAccumulation {
  const Number *const *pixels = nullptr;  ///< [pixel_count]: the source's pixel under the kernel's first tap
  std::uint32_t pixel_count = 0;
  const Number *weights = nullptr;     ///< [tap][channel][kWordKernels]
  const std::int64_t *taps = nullptr;  ///< distance from the first tap's pixel to each tap's pixel, in elements of type Number
  std::uint32_t tap_count = 0;
  std::uint32_t channels = 0;
  Number *sums = nullptr;  ///< [pixel_count][kWordKernels]
};
inline constexpr std::uint32_t kWordKernels = 32;

/// How sums become elements: parameters of the channels, dequantisation, activation, and conversion to the format.
struct Finish {
  const float *scale = nullptr;
  const float *bias = nullptr;
  const float *slope = nullptr;  ///< for PRELU
  bool dequantise = false;
  std::uint8_t clip = 0;
  float dequantisation_scale = 0, dequantisation_zero_point = 0;
  isa::tile::ActMode activation = isa::tile::ActMode::DISABLE;
  float parameter = 0;
  Segments table;  ///< for SILU
  Storage storage;
};

struct ConvolutionKernels {
  void (*byte_depthwise)(const ByteDepthwise &depthwise);
  void (*float_depthwise)(const WordDepthwise<float> &depthwise);
  void (*wide_depthwise)(const WordDepthwise<std::uint64_t> &depthwise);
  void (*accumulate_floats)(const WordAccumulation<float> &accumulation);
  void (*accumulate_wide)(const WordAccumulation<std::uint64_t> &accumulation);
  /// Converts the sums of `count` kernels from `first` on, at most kFinished of them. Each INT4 fills a byte.
  void (*finish_int32)(const std::int32_t *sums, std::uint32_t first, std::uint32_t count, const Finish &finish, void *out);
  void (*finish_wide)(const std::uint64_t *sums, std::uint32_t first, std::uint32_t count, const Finish &finish, void *out);
  void (*finish_floats)(const float *sums, std::uint32_t first, std::uint32_t count, const Finish &finish, void *out);
};
inline constexpr std::uint32_t kFinished = 64;

}  // namespace cox::model::arithmetic
