// SPDX-License-Identifier: MIT
// Values of 16-bit floating-point elements. A float holds each of them exactly.
#pragma once

#include <bit>
#include <cstdint>

namespace cox::tests {

inline float bfloat16_value(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
inline float half_value(std::uint16_t bits) { return static_cast<float>(std::bit_cast<_Float16>(bits)); }

}  // namespace cox::tests
