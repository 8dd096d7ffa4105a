// SPDX-License-Identifier: MIT
// The arithmetic, written for reading: one scalar at a time and in the order of docs/arithmetic.md. Everything else is held to it.
#pragma once

#include "sim/model/tile/arithmetic/execute.h"

namespace cox::model::arithmetic::reference {

void move(const isa::tile::Move &operation, const Memories &memories);
void transform(const isa::tile::Transform &operation, const Memories &memories);
void move_weights(const isa::tile::WeightMove &operation, const Memories &memories);
void convolve(const isa::tile::Convolution &operation, const Memories &memories);
void vector(const isa::tile::Vector &operation, const Memories &memories);

}  // namespace cox::model::arithmetic::reference
