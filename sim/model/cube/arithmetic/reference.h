// SPDX-License-Identifier: MIT
// The scalar reference: each operation element by element, directly from docs/isa/cube.md.
#pragma once

#include "sim/model/cube/arithmetic/execute.h"

namespace cox::model::cube::reference {

void load(const isa::cube::DramToL1 &operation, Buffers &buffers, const std::byte *dram);
void move(const isa::cube::L1ToL0 &operation, Buffers &buffers);
void move(const isa::cube::L1ToBt &operation, Buffers &buffers);
void im2col(const isa::cube::Im2colToL0A &operation, Buffers &buffers);
void multiply(const isa::cube::Mad &operation, Buffers &buffers);
void output(const isa::cube::Output &operation, Buffers &buffers, std::byte *dram);

}  // namespace cox::model::cube::reference
