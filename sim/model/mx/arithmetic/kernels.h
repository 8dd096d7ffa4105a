// SPDX-License-Identifier: MIT
// The inner loops of the MX fast path, once for each instruction set that they are built for. All sets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/mx/operation.h"

namespace cox::model::mx {

/// An unpacked block: 16 numbers (-1)^s * M * 2^(1 - D) of 16 bits, to be multiplied by 2^(E - 134). E = 0: zeros and 1; NaN: zeros and
/// NaN.
inline constexpr std::uint32_t kUnpackedElements = isa::mx::kBlockElements;
/// The weights of 16 output channels for one block of input channels, unpacked: [pair][output channel][2].
inline constexpr std::uint32_t kUnpackedWeights = kUnpackedElements * isa::mx::kBlockElements;

/// Exponents of blocks, those of zero and NaN blocks apart.
struct ExponentRange {
  std::uint32_t least = 255;
  std::uint32_t most = 0;
  bool nan = false;
};

/// Where a position of the kernel finds its blocks of input channels, and their weights.
struct Tap {
  std::int64_t input = 0;    ///< unpacked blocks from the kernel's corner
  std::int64_t weights = 0;  ///< blocks of input channels from the first
};

/// Dot products of blocks, added in FP32 in the order of taps and input channels, for a few output pixels and groups of 16 output channels.
struct Accumulation {
  const std::int16_t *inputs = nullptr;   ///< unpacked blocks
  const float *input_scales = nullptr;    ///< one a block
  const std::int64_t *corners = nullptr;  ///< [pixels]: the block under the kernel's corner
  std::uint32_t pixels = 0;               ///< 1 to Kernels::pixels
  const std::int16_t *weights = nullptr;  ///< of the first group, [tap][block of input channels] of kUnpackedWeights
  const float *weight_scales = nullptr;   ///< likewise, of 16
  std::int64_t group_blocks = 0;          ///< blocks of input channels from one group to the next
  std::uint32_t groups = 0;               ///< 1 to Kernels::groups
  const Tap *taps = nullptr;
  std::uint32_t tap_count = 0;
  std::uint32_t blocks = 0;  ///< of input channels a tap
  float *sums = nullptr;     ///< [groups][pixels][16], where sums begin and end
};

/// One output row of a window.
struct PoolRow {
  const float *const *rows = nullptr;  ///< the window's rows inside of the map
  std::uint32_t row_count = 0;
  std::uint32_t width = 0;  ///< of the map
  std::uint32_t kernel = 0, stride = 0, padding = 0;
  bool average = false;
  std::uint32_t out_width = 0;
  float *out = nullptr;  ///< [out_width][16]
};

struct Kernels {
  const char *name;
  std::uint32_t pixels;  ///< most pixels of an Accumulation
  std::uint32_t groups;  ///< most groups of an Accumulation

  /// `count` blocks that lie one after another; each unpacked one is `stride` blocks behind the one before.
  void (*unpack)(const std::byte *in, std::uint32_t count, std::int64_t stride, std::int16_t *elements, float *scales,
                 ExponentRange &range);
  /// Blocks of 16 output channels, `count` times.
  void (*unpack_weights)(const std::byte *in, std::int64_t count, std::int16_t *elements, float *scales, ExponentRange &range);
  /// For exponents of which no product leaves what FP32 holds exactly (fast_convolution.cpp).
  void (*accumulate)(const Accumulation &accumulation);
  /// For any exponents.
  void (*accumulate_any)(const Accumulation &accumulation);
  /// Adds 16 biases to each of `count` blocks of sums, which is overwritten; activation, quantisation.
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
