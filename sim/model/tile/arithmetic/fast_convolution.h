// SPDX-License-Identifier: MIT
// The fast path of convolutions. All extents of an operation must be above 0.
#pragma once

#include "sim/model/tile/arithmetic/fast.h"

namespace cox::model::arithmetic::fast {

/// Largest copy of a source that the fast path makes. If a convolution needs a larger copy, the reference implementation executes it.
inline constexpr double kMostStagedBytes = 64.0 * 1024 * 1024;

/// Convolves INT4 and INT8 operands.
void convolve_bytes(const isa::tile::Convolution &operation, const Memories &memories, const Kernels &kernels);
/// Convolves operands of 16 and 32 bits.
void convolve_words(const isa::tile::Convolution &operation, const Memories &memories, const Kernels &kernels);
/// Convolves groups of one channel, with operands of any format.
void convolve_depthwise(const isa::tile::Convolution &operation, const Memories &memories, const Kernels &kernels);

}  // namespace cox::model::arithmetic::fast
