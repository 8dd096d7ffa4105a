// SPDX-License-Identifier: MIT
// Hooks and functions of the board that read QEMU's simulation probe (boards/devices/simulated.h), for boards that have it.
#include "board.h"

#ifdef BOARD_PROBE_BASE

#include "boards/cortex-m55/hooks.h"
#include "coxswain/hal/board.h"

namespace {

std::uint32_t probe(std::uint32_t offset) { return *reinterpret_cast<volatile const std::uint32_t *>(BOARD_PROBE_BASE + offset); }

}  // namespace

std::uint64_t board_dram_size() { return probe(BOARD_PROBE_DRAM_SIZE); }

namespace cox::board {

std::uint64_t executed_instructions() {
  if ((probe(BOARD_PROBE_FEATURES) & BOARD_PROBE_COUNTS) == 0) return UINT64_MAX;
  const std::uint32_t low = probe(BOARD_PROBE_EXECUTED_LO);
  return std::uint64_t{probe(BOARD_PROBE_EXECUTED_HI)} << 32 | low;
}

// Computes the time from the number of executed instructions, which only QEMU counts. With -icount shift=1, each instruction takes 2 ns for
// any BOARD_CORE_CLOCK (docs/qemu.md).
std::uint64_t awake_microseconds() {
  constexpr std::uint32_t kInstructionsPerMicrosecond = 500;
  const std::uint64_t executed = executed_instructions();
  if (executed == UINT64_MAX) return executed;
  const auto low = static_cast<std::uint32_t>(executed);  // a division of 64 bits would take long
  return low == executed ? low / kInstructionsPerMicrosecond : executed / kInstructionsPerMicrosecond;
}

#ifdef BOARD_MAILBOX_BASE
/// Without a host, the firmware does not use the mailbox.
std::uintptr_t mailbox_address() { return (probe(BOARD_PROBE_FEATURES) & BOARD_PROBE_HOST) != 0 ? BOARD_MAILBOX_BASE : 0; }
#endif

}  // namespace cox::board

#endif
