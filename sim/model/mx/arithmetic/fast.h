// SPDX-License-Identifier: MIT
// The fast path: the same bits as the reference, with the best instructions of this host.
#pragma once

#include <span>

#include "sim/model/mx/arithmetic/execute.h"
#include "sim/model/mx/arithmetic/kernels.h"

namespace cox::model::mx::fast {

/// All sets of kernels that this host can run, the best one last.
[[nodiscard]] std::span<const Kernels *const> supported_kernels();

void convolve(const isa::mx::ConvAct &operation, const Operands &operands, const Kernels &kernels);
void pool(const isa::mx::Pool &operation, const Operands &operands, const Kernels &kernels);

/// Like mx::execute() with Path::fast, but the caller chooses the set of kernels.
void execute(const isa::mx::Operation &operation, const Operands &operands, const Kernels &kernels);

}  // namespace cox::model::mx::fast
