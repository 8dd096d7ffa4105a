// SPDX-License-Identifier: MIT
// The mailbox's interrupt. hal/mailbox.h drives its registers.
#include "boards/cortex-m55/device.h"
#include "coxswain/hal/board.h"

#ifdef BOARD_MAILBOX_BASE

namespace cox::board {
namespace {

InterruptHandler handler = nullptr;

}  // namespace

/// Without a host, the firmware does not use the mailbox.
std::uintptr_t mailbox_address() {
  const std::uint32_t features = *reinterpret_cast<volatile const std::uint32_t *>(BOARD_PROBE_BASE + BOARD_PROBE_FEATURES);
  return (features & BOARD_PROBE_HOST) != 0 ? BOARD_MAILBOX_BASE : 0;
}

void connect_mailbox_interrupt(InterruptHandler rung) {
  NVIC_DisableIRQ(MAILBOX_IRQn);
  handler = rung;
  NVIC_EnableIRQ(MAILBOX_IRQn);
}

extern "C" void MAILBOX_IRQHandler() { handler(); }

}  // namespace cox::board

#endif
