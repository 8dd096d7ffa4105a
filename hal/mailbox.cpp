// SPDX-License-Identifier: MIT
#include "coxswain/hal/mailbox.h"

#include "coxswain/device/mailbox.h"
#include "coxswain/hal/barrier.h"
#include "coxswain/hal/mmio.h"

namespace cox::board {

// For a board that has no mailbox.
[[gnu::weak]] std::uintptr_t mailbox_address() { return 0; }
[[gnu::weak]] void connect_mailbox_interrupt(InterruptHandler /*rung*/) {}

}  // namespace cox::board

namespace cox::hal::mailbox {
namespace {

board::InterruptHandler rung_handler = nullptr;
COX_MAILBOX_Type *registers = nullptr;  ///< null before connect(), and if the board has no mailbox

void on_interrupt() {
  mmio::write(registers->TO_CORE_CLEAR, COX_MAILBOX_TO_CORE_CLEAR_CLEAR_Msk);
  memory_barrier();  // what the program reads from now on is not older than the ring
  rung_handler();
}

}  // namespace

void connect(board::InterruptHandler rung) {
  rung_handler = rung;
  registers = reinterpret_cast<COX_MAILBOX_Type *>(board::mailbox_address());  // NOLINT(performance-no-int-to-ptr): a bus address
  if (registers == nullptr) return;
  board::connect_mailbox_interrupt(on_interrupt);
}

void ring_host() {
  if (registers == nullptr) return;
  memory_barrier();  // the host reads what it is rung for
  mmio::write(registers->TO_HOST_SET, COX_MAILBOX_TO_HOST_SET_RING_Msk);
}

}  // namespace cox::hal::mailbox
