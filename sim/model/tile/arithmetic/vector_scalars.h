// SPDX-License-Identifier: MIT
// The scalars of a vector operation, from the instruction or from the context's registers.
#pragma once

#include <cstdint>
#include <limits>

#include "sim/model/tile/arithmetic/execute.h"

namespace cox::model::arithmetic {

[[nodiscard]] inline float value_of(const isa::tile::Scalar &scalar, const Memories &memories) {
  if (scalar.index < 0) return scalar.value;
  const unsigned index = static_cast<std::uint8_t>(scalar.index);
  return memories.scalars != nullptr && index < isa::tile::kScalarRegisters ? memories.scalars[index] : 0.0F;
}

/// The values that the operation's scalars have when the operation begins.
struct VectorScalars {
  VectorScalars(const isa::tile::Vector &operation, const Memories &memories)
      : multiplier(value_of(operation.multiplier, memories)),
        operand(value_of(operation.operand, memories)),
        operand1(value_of(operation.operand1, memories)),
        factor(value_of(operation.factor, memories)),
        summand(value_of(operation.summand, memories)) {}

  float multiplier, operand, operand1, factor, summand;
};

/// Writes the result of a full reduction to its register. Every NaN gets the same bits, as it does in memory.
inline void keep_result(const isa::tile::Vector &operation, const Memories &memories, float value) {
  if (operation.result < 0 || memories.scalars == nullptr) return;
  const unsigned index = static_cast<std::uint8_t>(operation.result);
  if (index >= isa::tile::kScalarRegisters) return;
  memories.scalars[index] = value == value ? value : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace cox::model::arithmetic
