// SPDX-License-Identifier: MIT
// Tensors of random numbers, and the parameters of new tensors.
#pragma once

#include <bit>

#include "sim/model/unity/arithmetic/memory.h"
#include "sim/model/unity/arithmetic/number.h"

namespace cox::model::unity::reference {

/// A parameter of integer elements: s32 for signed units, u32 for unsigned ones.
[[nodiscard]] constexpr Whole whole_parameter(std::uint32_t bits, Unit unit) {
  return whole_of_bits(bits, is_signed(unit) ? Unit::s32 : Unit::u32);
}
/// A parameter as an element: rounded, or modulo 2^n.
[[nodiscard]] inline std::uint64_t parameter_bits(std::uint32_t bits, Unit unit) {
  return is_float(unit) ? bits_of_real(real_of_bits(bits, Unit::fp32), unit) : bits_of_whole(whole_parameter(bits, unit), unit, false);
}

/// RAND_* and MULTI_NOMIAL.
[[nodiscard]] bool is_random(isa::unity::Opcode op);
/// Writes at least one element. Error: field_out_of_range ("SRC") for weights of MULTI_NOMIAL that are negative or not finite, `index` the
/// number of the weight and `value` its bits, or that are all 0 (`index` -1); nothing is written then.
[[nodiscard]] Status write_random(const isa::unity::Creation &operation, Memory &memory);

}  // namespace cox::model::unity::reference
