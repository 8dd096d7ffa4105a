// SPDX-License-Identifier: MIT
#include <cstring>

#include "sim/model/mx/arithmetic/reference.h"

namespace cox::model::mx::reference {

/// Copies bytes without conversion, so every bit of a block stays as it is.
void move(const isa::mx::Move &op, const Operands &operands) {
  using isa::mx::kBlockBytes;
  const std::size_t run = std::size_t{op.run} * kBlockBytes;
  for (std::size_t i = 0; i < op.count; ++i) {
    const std::byte *from = operands.input1 + i * op.from_stride * kBlockBytes;
    std::byte *to = operands.output1 + i * op.to_stride * kBlockBytes;
    for (std::uint32_t n = 0; n < op.repeat; ++n, to += run) std::memcpy(to, from, run);
  }
}

}  // namespace cox::model::mx::reference
