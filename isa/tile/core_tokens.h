// SPDX-License-Identifier: MIT
// Tokens between cores. Only SI and SO carry them (docs/isa/tile.md, Cores).
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/table.h"

namespace cox::isa::tile {

namespace detail {
inline constexpr unsigned kConfiguration = 0x80;  ///< set in the table entry of a configuration; the other bits are its class
consteval std::array<std::uint8_t, 256> make_class_table() {
  std::array<std::uint8_t, 256> classes{};
  for (const Instruction &instruction : kInstructions) {
    classes[static_cast<unsigned>(instruction.opcode)] =
        static_cast<std::uint8_t>(static_cast<unsigned>(instruction.queue) | (instruction.configuration ? kConfiguration : 0));
  }
  return classes;
}
inline constexpr std::array<std::uint8_t, 256> kClassTable = make_class_table();
inline unsigned class_entry(const MachineCode &code) { return kClassTable[static_cast<std::uint8_t>(opcode_of(code))]; }
}  // namespace detail

/// Prev_Cores and Next_Cores: bit i is core i of the task. Both are 0 for instructions that are neither SI nor SO.
struct CoreTokens {
  std::uint8_t previous = 0, next = 0;
};

static_assert(same_bits<Opcode::si_mov, Opcode::so_mov, "Prev_Cores">() && same_bits<Opcode::si_mov, Opcode::so_mov, "Next_Cores">());
static_assert(same_bits<Opcode::si_mov, Opcode::si_sync, "Prev_Cores">() && same_bits<Opcode::si_mov, Opcode::si_sync, "Next_Cores">());
static_assert(same_bits<Opcode::si_mov, Opcode::so_sync, "Prev_Cores">() && same_bits<Opcode::si_mov, Opcode::so_sync, "Next_Cores">());

[[nodiscard, gnu::always_inline]] inline CoreTokens core_tokens(const MachineCode &code) {
  const unsigned entry = detail::class_entry(code);  // of a configuration, this is neither of the two
  if (entry != static_cast<unsigned>(Class::SI) && entry != static_cast<unsigned>(Class::SO)) return {};
  return {static_cast<std::uint8_t>(get<Opcode::si_mov, "Prev_Cores">(code)),
          static_cast<std::uint8_t>(get<Opcode::si_mov, "Next_Cores">(code))};
}

}  // namespace cox::isa::tile
