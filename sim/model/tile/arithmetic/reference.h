// SPDX-License-Identifier: MIT
// The arithmetic, written to be read: one scalar at a time, in the order of docs/arithmetic.md. All other code is tested against it.
#pragma once

#include "sim/model/tile/arithmetic/execute.h"

namespace cox::model::arithmetic::reference {

void move(const isa::tile::Move &operation, const Memories &memories);
void transform(const isa::tile::Transform &operation, const Memories &memories);
void move_weights(const isa::tile::WeightMove &operation, const Memories &memories);
void convolve(const isa::tile::Convolution &operation, const Memories &memories);
void vector(const isa::tile::Vector &operation, const Memories &memories);

}  // namespace cox::model::arithmetic::reference
