// SPDX-License-Identifier: MIT
// Functions for sets that are stored as the bits of a word.
#pragma once

#include <bit>
#include <cstdint>

namespace cox {

/// Clears the lowest set bit of `mask` and returns its number. `mask` must not be 0.
constexpr unsigned take_lowest(std::uint32_t &mask) {
  const auto lowest = static_cast<unsigned>(std::countr_zero(mask));
  mask &= mask - 1;
  return lowest;
}

}  // namespace cox
