// SPDX-License-Identifier: MIT
#include "isa/tile/core_tokens.h"

#include "isa/tile/table.h"

namespace cox::isa::tile {

static_assert(same_bits<Opcode::si_mov, Opcode::so_mov, "Prev_Cores">() && same_bits<Opcode::si_mov, Opcode::so_mov, "Next_Cores">());
static_assert(same_bits<Opcode::si_mov, Opcode::si_sync, "Prev_Cores">() && same_bits<Opcode::si_mov, Opcode::si_sync, "Next_Cores">());
static_assert(same_bits<Opcode::si_mov, Opcode::so_sync, "Prev_Cores">() && same_bits<Opcode::si_mov, Opcode::so_sync, "Next_Cores">());

CoreTokens core_tokens(const MachineCode &code) {
  switch (opcode_of(code)) {
    case Opcode::si_mov:
    case Opcode::si_sync:
    case Opcode::so_mov:
    case Opcode::so_sync: break;
    default: return {};
  }
  return {static_cast<std::uint8_t>(get<Opcode::si_mov, "Prev_Cores">(code)),
          static_cast<std::uint8_t>(get<Opcode::si_mov, "Next_Cores">(code))};
}

}  // namespace cox::isa::tile
