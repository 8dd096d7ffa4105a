// SPDX-License-Identifier: MIT
// Executes an operation on memory (docs/arithmetic.md).
#pragma once

#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/memory.h"

namespace cox::model::arithmetic {

/// The memories to which the addresses of an operation refer.
struct Memories {
  Memory source;             ///< for Move::from, Transform::from, WeightMove::from, Convolution::source, Vector::source
  Memory source1;            ///< for Vector::source1; not accessed if the operation has only one tensor
  Memory destination;        ///< for Move::to, Transform::to, WeightMove::to, Convolution::destination, Vector::destination
  Memory weights;            ///< WL0; accessed only by a Convolution
  Memory partial{};          ///< for Convolution::partial
  Memory table{};            ///< for a Table
  float *scalars = nullptr;  ///< the context's scalar registers of VP, isa::tile::kScalarRegisters of them; nullptr: all are 0
};

enum class Path : std::uint8_t {
  reference,  ///< one scalar at a time, in the order of docs/arithmetic.md
  fast,       ///< the same bits, with the best instructions that this host has
};

/// Executes `operation`. The result is as if all sources were read before the first byte is written. Bytes of a destination pixel beyond
/// its channels keep their values. The caller should check the operation against its regions and windows. Even without these checks,
/// nothing outside of `memories` is accessed. Runs only on the calling thread, in the default floating-point environment, and restores the
/// caller's environment.
void execute(const isa::tile::Operation &operation, const Memories &memories, Path path);

}  // namespace cox::model::arithmetic
