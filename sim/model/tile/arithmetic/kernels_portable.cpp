// SPDX-License-Identifier: MIT
// Kernels for any host.
#include "sim/model/tile/arithmetic/convolution_kernels_common.h"
#include "sim/model/tile/arithmetic/kernels_common.h"

namespace cox::model::arithmetic {
namespace {

void start(const std::int8_t *, std::int64_t, std::int32_t *starts) {
  for (std::uint32_t k = 0; k < kLineKernels; ++k) starts[k] = 0;
}

void accumulate(const Accumulation &a) {
  for (std::uint32_t p = 0; p < a.pixel_count; ++p) {
    for (std::uint32_t b = 0; b < a.blocks; ++b) {
      std::uint32_t sums[kLineKernels];  // unsigned, because the sums wrap
      for (std::uint32_t k = 0; k < kLineKernels; ++k) sums[k] = static_cast<std::uint32_t>(a.start[b * kLineKernels + k]);
      const std::int8_t *line = a.weights + b * a.block_bytes;
      for (std::uint32_t t = 0; t < a.tap_count; ++t) {
        const auto *x = reinterpret_cast<const std::int8_t *>(a.pixels[p] + a.taps[t]);
        for (std::uint32_t g = 0; g < a.groups; ++g, line += kLineBytes, x += kLineChannels) {
          for (std::uint32_t k = 0; k < kLineKernels; ++k) {
            std::int32_t products = 0;
            for (std::uint32_t c = 0; c < kLineChannels; ++c) products += x[c] * line[k * kLineChannels + c];
            sums[k] += static_cast<std::uint32_t>(products);
          }
        }
      }
      std::int32_t *out = a.accumulators + (std::size_t{p} * a.blocks + b) * kLineKernels;
      for (std::uint32_t k = 0; k < kLineKernels; ++k) out[k] = static_cast<std::int32_t>(sums[k]);
    }
  }
}

}  // namespace

const Kernels kPortableKernels{"portable", 4, 4, start, accumulate, kConvolutionKernels};

}  // namespace cox::model::arithmetic
