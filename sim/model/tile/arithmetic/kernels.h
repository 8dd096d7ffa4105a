// SPDX-License-Identifier: MIT
// The inner loops of the fast path, built once for each instruction set. All sets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/model/tile/arithmetic/convolution_kernels.h"

namespace cox::model::arithmetic {

/// Output channels in a line of packed weights.
inline constexpr std::uint32_t kLineKernels = 16;
/// Input channels in a line of packed weights.
inline constexpr std::uint32_t kLineChannels = 4;
inline constexpr std::uint32_t kLineBytes = kLineKernels * kLineChannels;

/// Sums of products for a few output pixels and a few blocks of 16 output channels.
struct Accumulation {
  const std::int8_t *weights = nullptr;         ///< of the first block: [tap][group][16 output channels][4 input channels]
  std::int64_t block_bytes = 0;                 ///< distance from one block to the next
  std::uint32_t blocks = 0;                     ///< 1 to Kernels::blocks
  const std::int32_t *start = nullptr;          ///< [blocks * 16]: initial values of the sums
  const std::uint8_t *const *pixels = nullptr;  ///< [pixel_count]: the source's pixel under the kernel's first tap
  std::uint32_t pixel_count = 0;                ///< 1 to Kernels::pixels
  const std::int64_t *taps = nullptr;           ///< distance from the first tap's pixel to each tap's pixel, in bytes
  std::uint32_t tap_count = 0;
  std::uint32_t groups = 0;              ///< number of groups of 4 input channels
  std::int32_t *accumulators = nullptr;  ///< [pixel_count][blocks * 16]
};

struct Kernels {
  const char *name;
  std::uint32_t pixels;  ///< largest number of pixels of an Accumulation
  std::uint32_t blocks;  ///< largest number of blocks of an Accumulation

  /// Computes the initial values of a block's 16 sums: 0, or a correction if `accumulate` adds an offset to its operands.
  void (*start)(const std::int8_t *block, std::int64_t lines, std::int32_t *start);
  void (*accumulate)(const Accumulation &accumulation);

  ConvolutionKernels convolution;
};

extern const Kernels kPortableKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;  ///< with VNNI
#endif

}  // namespace cox::model::arithmetic
