// SPDX-License-Identifier: MIT
// The scalar reference: one element after another, as the specification says.
#pragma once

#include "sim/model/pim/arithmetic/execute.h"

namespace cox::model::pim::reference {

void compute(const isa::pim::Compute &operation, CoreMemories &memories);
void output(const isa::pim::Output &operation, CoreMemories &memories);
void transfer(const isa::pim::Transfer &operation, CoreMemories &memories);
void simd(const isa::pim::Simd &operation, CoreMemories &memories);

}  // namespace cox::model::pim::reference
