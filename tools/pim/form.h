// SPDX-License-Identifier: MIT
// How PIM instructions are written: which fields are operands without names, and in which order (docs/pim.md, Assembler).
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/table.h"

namespace cox::tools::pim {

/// Operands in the order of the text: the result first, and messages as in the specification.
struct Form {
  isa::pim::Opcode opcode;
  std::array<const char *, 5> operands;  ///< fields, then nullptr
  unsigned required;                     ///< the first operands that must be given; the others are 0 if they are not
};

[[nodiscard]] const Form &form_of(isa::pim::Opcode opcode);
[[nodiscard]] std::span<const char *const> operands_of(const Form &form);

/// What a field holds.
enum class Role : std::uint8_t {
  number,
  flag,     ///< one bit; its name alone sets it
  general,  ///< number of a general register
  special,  ///< number of a special register
  target,   ///< distance to another instruction
};
[[nodiscard]] Role role_of(const isa::pim::Instruction &instruction, const isa::Field &field);

/// `async` alone sets the field `sync` of send and receive.
inline constexpr std::string_view kAsync = "async";

/// A name for a simd-compute with an opcode: simd-add. `inputs` is 0 if several numbers of inputs are possible.
struct SimdName {
  std::string_view name;
  isa::pim::SimdOpcode opcode;
  unsigned inputs;
};
[[nodiscard]] std::span<const SimdName> simd_names();
[[nodiscard]] const SimdName *find_simd(std::string_view name);
[[nodiscard]] const SimdName *find_simd(unsigned opcode);

}  // namespace cox::tools::pim
