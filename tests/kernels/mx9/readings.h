// SPDX-License-Identifier: MIT
// A second implementation of MX9, for comparison with isa/numbers/mx9_block.h. It uses real numbers instead of bits (docs/mx9.md,
// Quantising).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/isa/numbers/mx9_block.h"

namespace cox::mx9 {

using Values = std::array<float, 16>;
using Bytes = std::array<std::uint8_t, 18>;  ///< bytes of a block as in memory

[[nodiscard]] Bytes quantised(const Values &values);
[[nodiscard]] Values dequantised(const Bytes &bytes);

/// The largest error of a value in a block with this exponent and D bit.
[[nodiscard]] long double error_bound(float value, int exponent, int pair_shift);

[[nodiscard]] Bytes bytes_of(const isa::mx::Block &block);
[[nodiscard]] isa::mx::Block block_of(const Bytes &bytes);

[[nodiscard]] float from_bits(std::uint32_t bits);
[[nodiscard]] std::uint32_t bits_of(float value);

}  // namespace cox::mx9
