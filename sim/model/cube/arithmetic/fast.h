// SPDX-License-Identifier: MIT
// The fast path: the same bits as the reference, with the best instructions of this host.
#pragma once

#include <span>

#include "sim/model/cube/arithmetic/execute.h"
#include "sim/model/cube/arithmetic/kernels.h"

namespace cox::model::cube::fast {

/// All sets of kernels that this host can run, the best one last.
[[nodiscard]] std::span<const Kernels *const> supported_kernels();

void load(const isa::cube::DramToL1 &operation, Buffers &buffers, const std::byte *dram);
void move(const isa::cube::L1ToL0 &operation, Buffers &buffers);
void move(const isa::cube::L1ToBt &operation, Buffers &buffers);
void im2col(const isa::cube::Im2colToL0A &operation, Buffers &buffers);
void multiply(const isa::cube::Mad &operation, Buffers &buffers, const Kernels &kernels);
void output(const isa::cube::Output &operation, Buffers &buffers, std::byte *dram, const Kernels &kernels);

/// Like cube::execute() with Path::fast, but the caller chooses the set of kernels.
void execute(const isa::cube::Operation &operation, Buffers &buffers, std::byte *dram, const Kernels &kernels);

}  // namespace cox::model::cube::fast
