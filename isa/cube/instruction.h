// SPDX-License-Identifier: MIT
// The form of the matrix unit's instructions in a stream (docs/isa/cube.md, Slots): 32 bytes each, little-endian, one after another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/machine_code.h"

namespace cox::isa::cube {

using MachineCode = Words32<8>;
inline constexpr std::size_t kSlotBytes = sizeof(MachineCode);

/// Bits [7:0]. No instruction has opcode 0.
enum class Opcode : std::uint8_t {
  SET_FLAG = 1,
  WAIT_FLAG,
  BARRIER,
  DRAM_TO_L1,
  L1_TO_L0A,
  L1_TO_L0B,
  IM2COL_CFG,
  IM2COL_TO_L0A,
  L1_TO_BT,
  MAD,
  OUT_CFG,
  L0C_TO_DRAM,
  L0C_TO_L1,
};

/// Each pipe runs its instructions in order. The pipes run at the same time.
enum class Pipe : std::uint8_t {
  MTE2,  ///< DRAM to L1
  MTE1,  ///< L1 to L0A, L0B and the bias table
  M,     ///< the array
  FIX,   ///< L0C to DRAM and L1
};
inline constexpr unsigned kPipes = 4;

// Every slot except a BARRIER has two masks: Wait, the flags that the instruction takes before it starts, and Set, the flags that it sets
// when it has ended. In a mask, each of the 3 other pipes has 8 bits, one for each event.
inline constexpr unsigned kOpcodeBit = 0, kOpcodeWidth = 8;
inline constexpr unsigned kWaitBit = 8, kSetBit = 32, kMaskWidth = 24;
inline constexpr unsigned kEvents = 8;

/// Returns the bit of flag `event` in a mask of an instruction of pipe `own`. In the mask Wait, it is the flag that `other` sets for `own`.
/// In the mask Set, it is the flag that `own` sets for `other`.
constexpr unsigned mask_bit(Pipe own, Pipe other, unsigned event) {
  const auto place = static_cast<unsigned>(other) - (other > own ? 1U : 0U);
  return place * kEvents + event;
}
/// The inverse of mask_bit(): returns the other pipe of the flag at `bit` in a mask of an instruction of pipe `own`.
constexpr Pipe other_pipe(Pipe own, unsigned bit) {
  const unsigned place = bit / kEvents;
  return static_cast<Pipe>(place + (place >= static_cast<unsigned>(own) ? 1U : 0U));
}

/// The largest count of one flag. Each set of the flag adds 1 to its count, and each wait takes 1 from it (docs/isa/cube.md, Flags).
inline constexpr unsigned kMostFlags = 15;

}  // namespace cox::isa::cube
