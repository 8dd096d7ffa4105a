// SPDX-License-Identifier: MIT
#include <cstring>
#include <span>

#include "sim/model/mx/arithmetic/kernels_common.h"

namespace cox::model::mx {
namespace {

constexpr std::uint32_t kPixels = 8;
constexpr std::uint32_t kGroups = 1;

void quantise(const float *in, std::uint32_t blocks, std::byte *out) {
  for (std::uint32_t b = 0; b < blocks; ++b, in += kBlockElements, out += kBlockBytes) {
    const isa::mx::Block block = isa::mx::quantise(std::span<const float, kBlockElements>(in, kBlockElements));
    std::memcpy(out, &block, kBlockBytes);
  }
}

}  // namespace

const Kernels kPortableKernels{"portable",     kPixels, kGroups,     unpack,     unpack_weights, accumulate_any,
                               accumulate_any, finish,  elementwise, dequantise, quantise,       pool_row};

}  // namespace cox::model::mx
