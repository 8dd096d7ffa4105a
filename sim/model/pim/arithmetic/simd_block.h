// SPDX-License-Identifier: MIT
// Places of the numbers in the blocks of SIMD operations (docs/isa/pim.md, SIMD).
#pragma once

#include <cstdint>

namespace cox::model::pim {

/// quantify-resadd.
struct ResaddBlock {
  enum : std::uint8_t { zero1, multiplier1, shift1, zero2, multiplier2, shift2, multiplier, shift, zero, count };
};
/// quantify-multiply.
struct MultiplyBlock {
  enum : std::uint8_t { zero1, zero2, multiplier, shift, zero, count };
};

}  // namespace cox::model::pim
