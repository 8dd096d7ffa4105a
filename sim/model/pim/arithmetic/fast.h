// SPDX-License-Identifier: MIT
// The fast path: the same bits as the reference, with the best instructions of this host.
#pragma once

#include <span>

#include "sim/model/pim/arithmetic/execute.h"
#include "sim/model/pim/arithmetic/kernels.h"

namespace cox::model::pim::fast {

/// All sets of kernels that this host can run, the best one last.
[[nodiscard]] std::span<const Kernels *const> supported_kernels();
[[nodiscard]] const Kernels &best_kernels();

// Like pim::execute() with Path::fast, but the caller chooses the set of kernels.
void compute(const isa::pim::Compute &operation, CoreMemories &memories, const Kernels &kernels);
void output(const isa::pim::Output &operation, CoreMemories &memories, const Kernels &kernels);
void transfer(const isa::pim::Transfer &operation, CoreMemories &memories, const Kernels &kernels);
void simd(const isa::pim::Simd &operation, CoreMemories &memories, const Kernels &kernels);

}  // namespace cox::model::pim::fast
