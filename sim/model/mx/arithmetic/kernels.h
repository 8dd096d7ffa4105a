// SPDX-License-Identifier: MIT
// The inner loops of the MX fast path, built once for each instruction set. All sets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/mx/operation.h"

namespace cox::model::mx {

/// An unpacked block has 16 numbers of 16 bits, (-1)^s * M * 2^(1 - D), and a scale, 2^(E - 134). 134 is the bias of E (127), plus the
/// fraction bits of M (6), plus 1 for the 1 in 2^(1 - D). If E is 0, the numbers are 0 and the scale is 1. If the block is NaN, the numbers
/// are 0 and the scale is NaN.
inline constexpr std::uint32_t kUnpackedElements = isa::mx::kBlockElements;
/// The weights of 16 output channels for one block of input channels, unpacked: [pair][output channel][2].
inline constexpr std::uint32_t kUnpackedWeights = kUnpackedElements * isa::mx::kBlockElements;

/// The range of the exponents of blocks, without zero and NaN blocks.
struct ExponentRange {
  std::uint32_t least = 255;
  std::uint32_t most = 0;
  bool nan = false;
};

/// One position of the convolution kernel: where its input and its weights are, relative to those of position (0, 0).
struct Tap {
  std::int64_t input = 0;    ///< in unpacked blocks
  std::int64_t weights = 0;  ///< in blocks of kUnpackedWeights elements
};

/// Sums in FP32 for a few output pixels and a few groups of 16 output channels. The dot products of blocks are added tap by tap, and within
/// a tap block by block.
struct Accumulation {
  const std::int16_t *inputs = nullptr;   ///< unpacked blocks
  const float *input_scales = nullptr;    ///< one for each block
  const std::int64_t *corners = nullptr;  ///< [pixels]: index of the first block at the kernel's position (0, 0)
  std::uint32_t pixels = 0;               ///< 1 to Kernels::pixels
  const std::int16_t *weights = nullptr;  ///< of the first group: [tap][block of input channels][kUnpackedWeights]
  const float *weight_scales = nullptr;   ///< of the first group: [tap][block of input channels][16]
  std::int64_t group_blocks = 0;          ///< distance from one group to the next, in blocks of kUnpackedWeights elements
  std::uint32_t groups = 0;               ///< 1 to Kernels::groups
  const Tap *taps = nullptr;
  std::uint32_t tap_count = 0;
  std::uint32_t blocks = 0;  ///< blocks of input channels in a tap
  float *sums = nullptr;     ///< [groups][pixels][16]: initial values, then results
};

/// One output row of a pool.
struct PoolRow {
  const float *const *rows = nullptr;  ///< the window's rows inside of the map
  std::uint32_t row_count = 0;
  std::uint32_t width = 0;  ///< width of the map
  std::uint32_t kernel = 0, stride = 0, padding = 0;
  bool average = false;
  std::uint32_t out_width = 0;
  float *out = nullptr;  ///< [out_width][16]
};

struct Kernels {
  const char *name;
  std::uint32_t pixels;  ///< largest number of pixels of an Accumulation
  std::uint32_t groups;  ///< largest number of groups of an Accumulation

  /// Unpacks `count` blocks that follow one another. In the output, they are `stride` blocks apart.
  void (*unpack)(const std::byte *in, std::uint32_t count, std::int64_t stride, std::int16_t *elements, float *scales,
                 ExponentRange &range);
  /// Unpacks `count` times 16 blocks, one for each of 16 output channels.
  void (*unpack_weights)(const std::byte *in, std::int64_t count, std::int16_t *elements, float *scales, ExponentRange &range);
  /// Requires exponents for which FP32 holds all products exactly (fast_convolution.cpp).
  void (*accumulate)(const Accumulation &accumulation);
  /// Works for all exponents.
  void (*accumulate_any)(const Accumulation &accumulation);
  /// Adds 16 biases to each of `count` blocks of sums, then applies the activation and quantises. Overwrites `sums`.
  void (*finish)(float *sums, std::uint32_t count, const float *biases, isa::mx::Activation activation, std::byte *out);

  void (*elementwise)(const isa::mx::Elementwise &operation, const std::byte *in1, const std::byte *in2, std::byte *out);
  void (*dequantise)(const std::byte *in, std::uint32_t blocks, float *out);
  void (*quantise)(const float *in, std::uint32_t blocks, std::byte *out);
  void (*pool_row)(const PoolRow &row);
};

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;  ///< with VNNI
#endif

}  // namespace cox::model::mx
