// SPDX-License-Identifier: MIT
// The fast path: the same bits as the reference, with the best instructions of this host.
#pragma once

#include <span>

#include "sim/model/tile/arithmetic/execute.h"
#include "sim/model/tile/arithmetic/kernels.h"
#include "sim/model/tile/arithmetic/vector_kernels.h"

namespace cox::model::arithmetic::fast {

/// All sets of kernels that this host can run, the best one last.
[[nodiscard]] std::span<const Kernels *const> supported_kernels();

void move(const isa::tile::Move &operation, const Memories &memories);
void transform(const isa::tile::Transform &operation, const Memories &memories);
void move_weights(const isa::tile::WeightMove &operation, const Memories &memories);
void convolve(const isa::tile::Convolution &operation, const Memories &memories, const Kernels &kernels);
void vector(const isa::tile::Vector &operation, const Memories &memories, const VectorKernels &kernels);

}  // namespace cox::model::arithmetic::fast
