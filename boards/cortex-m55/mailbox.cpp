// SPDX-License-Identifier: MIT
// The mailbox's interrupt. hal/mailbox.h drives its registers.
#include "boards/cortex-m55/device.h"
#include "coxswain/hal/board.h"

#ifdef BOARD_MAILBOX_BASE

namespace cox::board {
namespace {

InterruptHandler handler = nullptr;

}  // namespace

[[gnu::weak]] std::uintptr_t mailbox_address() { return BOARD_MAILBOX_BASE; }

void connect_mailbox_interrupt(InterruptHandler rung) {
  NVIC_DisableIRQ(BOARD_IRQN(BOARD_MAILBOX_IRQ));
  handler = rung;
  NVIC_EnableIRQ(BOARD_IRQN(BOARD_MAILBOX_IRQ));
}

extern "C" [[gnu::weak]] void MAILBOX_IRQHandler() { handler(); }

}  // namespace cox::board

#endif
