// SPDX-License-Identifier: MIT
// The ways in which the fast path carries out a convolution. Operations whose extents are all above 0.
#pragma once

#include "sim/model/tile/arithmetic/fast.h"

namespace cox::model::arithmetic::fast {

/// What would take more memory than this for its working copies is left to the reference.
inline constexpr double kMostStagedBytes = 64.0 * 1024 * 1024;

/// INT4 and INT8 operands.
void convolve_bytes(const isa::tile::Convolution &operation, const Memories &memories, const Kernels &kernels);
/// Operands of 16 and 32 bits.
void convolve_words(const isa::tile::Convolution &operation, const Memories &memories, const Kernels &kernels);
/// Groups of one channel, of all operands.
void convolve_depthwise(const isa::tile::Convolution &operation, const Memories &memories, const Kernels &kernels);

}  // namespace cox::model::arithmetic::fast
