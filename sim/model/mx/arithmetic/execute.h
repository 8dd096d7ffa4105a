// SPDX-License-Identifier: MIT
// What MX operations do to memory (docs/mx9.md). The reference is written straight from the specification, one element after another; the
// fast path has the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/mx/operation.h"

namespace cox::model::mx {

enum class Path : std::uint8_t { reference, fast };

/// Where the operands of one operation lie in this process: each pointer at the first byte of what the operation's field names, laid out as
/// isa::mx::footprint() says. Those that the operation does not have are null. No alignment is assumed.
struct Operands {
  const std::byte *input1 = nullptr;
  const std::byte *input2 = nullptr;
  const std::byte *weights = nullptr;
  std::byte *output1 = nullptr;
  std::byte *output2 = nullptr;
};

/// Rounding, accumulation order, NaN and saturation as docs/mx9.md states them. The operation has passed isa::mx::resolve(), so outputs are
/// apart from inputs, or the very same bytes where it is element-wise.
void execute(const isa::mx::Operation &operation, const Operands &operands, Path path);

}  // namespace cox::model::mx
