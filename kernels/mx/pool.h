// SPDX-License-Identifier: MIT
// Maximum and average pooling of MX9 maps of any size (docs/kernels/mx.md, pool).
#pragma once

#include "coxswain/base/result.h"
#include "coxswain/isa/mx/table.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

using isa::mx::PoolMode;

struct PoolArguments {
  Tensor input;
  Tensor output;
  PoolMode mode = PoolMode::Maximum;
  std::uint32_t kernel = 2;   ///< side of the square window, 1 to 15
  std::uint32_t stride = 2;   ///< 1 to 3
  std::uint32_t padding = 0;  ///< 0 to 7, less than the kernel; neither the maximum nor the average counts padded positions
  Scratch scratch;            ///< pool_scratch_bytes() bytes; may stay empty if that is 0
};

/// Returns the bytes of scratch that pool() needs: 0 for maps at most 1,024 high and wide. Errors: the shape errors of pool().
Result<std::uint64_t> pool_scratch_bytes(const PoolArguments &arguments);

/// Appends the pooling. More than 1,024 channels take one instruction for each 1,024. Maps higher or wider than 1,024 are cut into pieces,
/// which are copied to scratch and pooled there. Errors: those of conv_act().
Status pool(Stream &stream, const PoolArguments &arguments);

}  // namespace cox::kernels::mx
