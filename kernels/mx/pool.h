// SPDX-License-Identifier: MIT
// Maximum and average pooling of MX9 maps of any size (docs/kernels/mx.md, pool).
#pragma once

#include "base/result.h"
#include "isa/mx/table.h"
#include "kernels/mx/stream.h"
#include "kernels/mx/tensor.h"

namespace cox::kernels::mx {

using isa::mx::PoolMode;

struct PoolArguments {
  Tensor input;
  Tensor output;
  PoolMode mode = PoolMode::Maximum;
  std::uint32_t kernel = 2;   ///< 1 to 15, a square
  std::uint32_t stride = 2;   ///< 1 to 3
  std::uint32_t padding = 0;  ///< 0 to 7, less than the kernel; padded positions count neither for the maximum nor for the average
  Scratch scratch;            ///< pool_scratch_bytes() of it; none where that is 0
};

/// Scratch that pool() wants: 0 for maps at most 1,024 high and wide. Errors of shape as pool()'s.
Result<std::uint64_t> pool_scratch_bytes(const PoolArguments &arguments);

/// Appends the pooling. More than 1,024 channels: an instruction for each 1,024. Higher or wider maps: pieces through scratch. Errors as
/// conv_act()'s.
Status pool(Stream &stream, const PoolArguments &arguments);

}  // namespace cox::kernels::mx
