// SPDX-License-Identifier: MIT
// What an operation does to memory (docs/arithmetic.md).
#pragma once

#include "isa/tile/operation.h"
#include "sim/model/tile/arithmetic/memory.h"

namespace cox::model::arithmetic {

/// The memories that the addresses of one operation mean.
struct Memories {
  Memory source;             ///< of Move::from, Transform::from, WeightMove::from, Convolution::source, Vector::source
  Memory source1;            ///< of Vector::source1; not touched where there is one tensor
  Memory destination;        ///< of Move::to, Transform::to, WeightMove::to, Convolution::destination, Vector::destination
  Memory weights;            ///< WL0; not touched but by a Convolution
  Memory partial{};          ///< of Convolution::partial
  Memory table{};            ///< of a Table
  float *scalars = nullptr;  ///< the context's scalar registers of VP, isa::tile::kScalarRegisters of them; nullptr: all are 0
};

enum class Path : std::uint8_t {
  reference,  ///< one scalar at a time, in the order of docs/arithmetic.md
  fast,       ///< the same bits, with the best instructions that this host has
};

/// Carries out `operation`. The result is as if all sources were read before the first byte is written. Bytes of a destination
/// pixel past its channels stay as they are. The caller has checked the operation against its regions and windows; where it
/// has not, nothing outside of `memories` is touched. Runs on the calling thread alone, in the default floating-point environment, and puts
/// back the caller's.
void execute(const isa::tile::Operation &operation, const Memories &memories, Path path);

}  // namespace cox::model::arithmetic
