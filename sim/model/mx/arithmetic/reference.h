// SPDX-License-Identifier: MIT
// Every MX operation one element after another, straight from docs/mx9.md: written to be read, and what the fast path is held against.
#pragma once

#include "sim/model/mx/arithmetic/execute.h"

namespace cox::model::mx::reference {

void convolve(const isa::mx::ConvAct &operation, const Operands &operands);
void elementwise(const isa::mx::Elementwise &operation, const Operands &operands);
void pool(const isa::mx::Pool &operation, const Operands &operands);
void move(const isa::mx::Move &operation, const Operands &operands);

}  // namespace cox::model::mx::reference
