// SPDX-License-Identifier: MIT
// Every MX operation one element after another, directly from docs/mx9.md. Tests compare the fast path with this code.
#pragma once

#include "sim/model/mx/arithmetic/execute.h"

namespace cox::model::mx::reference {

void convolve(const isa::mx::ConvAct &operation, const Operands &operands);
void elementwise(const isa::mx::Elementwise &operation, const Operands &operands);
void pool(const isa::mx::Pool &operation, const Operands &operands);
void move(const isa::mx::Move &operation, const Operands &operands);

}  // namespace cox::model::mx::reference
