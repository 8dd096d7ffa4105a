// SPDX-License-Identifier: MIT
// The weight records of a convolution as its kernels want them. Weights of the channels that pad a line become 0, so that whatever lies
// beside a pixel's channels does not count. Everything lies in scratch memory, until the next operation of the thread.
#pragma once

#include <cstdint>

#include "isa/tile/operation.h"
#include "sim/model/tile/arithmetic/kernels.h"
#include "sim/model/tile/arithmetic/memory.h"

namespace cox::model::arithmetic::fast {

/// The records of the operation, side by side in host memory.
[[nodiscard]] const std::byte *read_records(const isa::tile::Convolution &operation, const Memory &memory);

/// Lines for `Accumulation`.
struct ByteWeights {
  const std::int8_t *packed = nullptr;  ///< [group][block of 16 kernels][tap][line]
  std::int64_t block_bytes = 0;
  std::uint32_t blocks = 0;             ///< of a group
  const std::int32_t *start = nullptr;  ///< [group][block][16]: where the sums begin
};
[[nodiscard]] ByteWeights pack_bytes(const isa::tile::Convolution &operation, const std::byte *records, const Kernels &kernels);

/// [tap][lanes], of one channel a kernel; `lanes` kernels, those past the last are 0. Number is std::int16_t, float or std::uint64_t.
template <typename Number>
[[nodiscard]] const Number *pack_depthwise(const isa::tile::Convolution &operation, const std::byte *records, std::int64_t lanes);

/// [group][block of kWordKernels kernels][tap][channel][kWordKernels]. Number is float or std::uint64_t.
template <typename Number>
[[nodiscard]] const Number *pack_words(const isa::tile::Convolution &operation, const std::byte *records);

}  // namespace cox::model::arithmetic::fast
