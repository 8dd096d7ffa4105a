// SPDX-License-Identifier: MIT
// MX9 a second time, in real numbers instead of bits (docs/mx9.md, Quantising): what the tests hold isa/numbers/mx9_block.h against.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "isa/numbers/mx9_block.h"

namespace cox::mx9 {

using Values = std::array<float, 16>;
using Bytes = std::array<std::uint8_t, 18>;  ///< of a block, as they lie in memory

[[nodiscard]] Bytes quantised(const Values &values);
[[nodiscard]] Values dequantised(const Bytes &bytes);

/// How far a value may lie from what it becomes in a block of that exponent and D bit.
[[nodiscard]] long double error_bound(float value, int exponent, int pair_shift);

[[nodiscard]] Bytes bytes_of(const isa::mx::Block &block);
[[nodiscard]] isa::mx::Block block_of(const Bytes &bytes);

[[nodiscard]] float from_bits(std::uint32_t bits);
[[nodiscard]] std::uint32_t bits_of(float value);

}  // namespace cox::mx9
