// SPDX-License-Identifier: MIT
// Nearest-neighbour upsampling of MX9 maps (docs/kernels/mx.md, upsample_nearest).
#pragma once

#include "coxswain/base/result.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

struct UpsampleNearestArguments {
  Tensor input;
  Tensor output;             ///< the input's channels; `factor` times the input's height and width
  std::uint32_t factor = 2;  ///< 1 to 256
  Scratch scratch;           ///< upsample_nearest_scratch_bytes() bytes
};

/// Returns the bytes of scratch that upsample_nearest() needs: a map of the output's width and the input's height; nothing if `factor` is
/// 1.
Result<std::uint64_t> upsample_nearest_scratch_bytes(const UpsampleNearestArguments &arguments);

/// Appends MOVEs that repeat columns into scratch, then MOVEs that repeat rows into the output. Each step is one MOVE unless the map is too
/// large for it. With `factor` 1, the function only copies the map. Errors: those of conv_act().
Status upsample_nearest(Stream &stream, const UpsampleNearestArguments &arguments);

}  // namespace cox::kernels::mx
