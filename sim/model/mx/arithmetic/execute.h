// SPDX-License-Identifier: MIT
// The effect of MX operations on memory (docs/mx9.md). The reference follows the specification one element after another; the fast path
// gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/mx/operation.h"

namespace cox::model::mx {

enum class Path : std::uint8_t { reference, fast };

/// Host addresses of the operands of one operation. Each pointer is to the first byte of the operand with the same name in the operation.
/// The operand's other bytes are at the same offsets from the first byte as in DRAM. If the operation does not have the operand, the
/// pointer is null. Pointers need no alignment.
struct Operands {
  const std::byte *input1 = nullptr;
  const std::byte *input2 = nullptr;
  const std::byte *weights = nullptr;
  std::byte *output1 = nullptr;
  std::byte *output2 = nullptr;
};

/// Executes the operation with the rounding, accumulation order, NaN and saturation of docs/mx9.md. The operation must have passed
/// isa::mx::resolve(). So outputs do not overlap inputs, except that an element-wise operation may have its output at the address of an
/// input.
void execute(const isa::mx::Operation &operation, const Operands &operands, Path path);

}  // namespace cox::model::mx
