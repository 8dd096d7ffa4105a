// SPDX-License-Identifier: MIT
// Packs the weights of a convolution for the inner loops in kernels.h. These loops process channels in lines of kLineChannels. In the last
// line, the weights beyond the operation's channels are 0, so the bytes after a pixel's channels in the source have no effect. All results
// lie in scratch memory and are valid until the next operation of the thread.
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/kernels.h"
#include "sim/model/tile/arithmetic/memory.h"

namespace cox::model::arithmetic::fast {

/// The records of the operation, contiguous in host memory.
[[nodiscard]] const std::byte *read_records(const isa::tile::Convolution &operation, const Memory &memory);

/// Packed weights for `Accumulation`.
struct ByteWeights {
  const std::int8_t *packed = nullptr;  ///< [group][block of 16 kernels][tap][line of 4 channels][16 kernels][4 channels]
  std::int64_t block_bytes = 0;
  std::uint32_t blocks = 0;             ///< number of blocks in a group
  const std::int32_t *start = nullptr;  ///< [group][block][16]: initial values of the sums
};
[[nodiscard]] ByteWeights pack_bytes(const isa::tile::Convolution &operation, const std::byte *records, const Kernels &kernels);

/// Packs the weights of a depthwise convolution (one channel for each kernel) as [tap][lanes]. Lanes after the last kernel are 0. Number is
/// std::int16_t, float or std::uint64_t.
template <typename Number>
[[nodiscard]] const Number *pack_depthwise(const isa::tile::Convolution &operation, const std::byte *records, std::int64_t lanes);

/// Packs weights as [group][block of kWordKernels kernels][tap][channel][kWordKernels]. Number is float or std::uint64_t.
template <typename Number>
[[nodiscard]] const Number *pack_words(const isa::tile::Convolution &operation, const std::byte *records);

}  // namespace cox::model::arithmetic::fast
