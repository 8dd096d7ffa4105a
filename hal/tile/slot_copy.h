// SPDX-License-Identifier: MIT
// Copy of prepared instructions to a ring. On the target it is assembly, because the compiler moves the eight words of an instruction one
// by one. tests/target/token_loop compares the copy with the source.
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/header.h"

namespace cox::hal::tile {

/// Copies `count` instructions, at least one, from `codes` to `slots`. Returns the end of the source.
///
/// Registers of the assembly:
///   r0         `count`, then a word of the copy; r0 to r3 are free wherever this is inlined
///   r1 to r3   words of the copy
///   lr         counter of the low-overhead loop
///   from, to   next word of the source and of the ring
inline const isa::tile::MachineCode *copy_slots(isa::tile::MachineCode *slots, const isa::tile::MachineCode *codes, std::uint32_t count) {
#if defined(COX_HAL_NATIVE)
  for (; count != 0; --count) *slots++ = *codes++;
#else
  static_assert(sizeof(isa::tile::MachineCode) == 2 * 4 * sizeof(std::uint32_t));  // two moves of four words
  register std::uint32_t left __asm("r0") = count;
  __asm volatile(
      "dls lr, %[left]\n"
      "1:\n\t"
      "ldmia %[from]!, {r0, r1, r2, r3}\n\t"
      "stmia %[to]!, {r0, r1, r2, r3}\n\t"
      "ldmia %[from]!, {r0, r1, r2, r3}\n\t"
      "stmia %[to]!, {r0, r1, r2, r3}\n\t"
      "le lr, 1b"
      : [from] "+r"(codes), [to] "+r"(slots), [left] "+r"(left)
      :
      : "r1", "r2", "r3", "lr", "memory");
#endif
  return codes;
}

}  // namespace cox::hal::tile
