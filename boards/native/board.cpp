// SPDX-License-Identifier: MIT
// The functions of hal/board.h in a host process.
#include "coxswain/hal/board.h"

#include <cstdio>
#include <cstdlib>

#include "boards/native/machine.h"
#include "boards/qemu-npu-soc/board_map.h"
#include "coxswain/hal/cox_bus.h"

namespace cox::board {

void console_write(std::span<const char> text) {
  const NativeBoard::Machine &machine = current_machine();
  if (machine.settings.console) {
    machine.settings.console(std::string_view(text.data(), text.size()));
  } else {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
}

int console_read_char() {
  std::deque<char> &typed = current_machine().typed;
  if (typed.empty()) return -1;
  const auto character = static_cast<unsigned char>(typed.front());
  typed.pop_front();
  return character;
}

void connect_npu_interrupts(InterruptHandler completion, InterruptHandler fault) {
  if (completion == nullptr || fault == nullptr) halt("connect_npu_interrupts() needs two handlers");
  NativeBoard::Machine &machine = current_machine();
  machine.handlers[0] = completion;
  machine.handlers[1] = fault;
  machine.restore_interrupts(machine.masked);  // runs the handler if its line is high already
}

std::uintptr_t mailbox_address() { return BOARD_MAILBOX_BASE; }

void connect_mailbox_interrupt(InterruptHandler rung) {
  NativeBoard::Machine &machine = current_machine();
  machine.handlers[NativeBoard::Machine::kMailboxLine] = rung;
  machine.restore_interrupts(machine.masked);  // runs the handler if the host has rung already
}

std::uintptr_t dma_registers() { return current_machine().settings.has_dma ? BOARD_DMA_BASE : 0; }

void connect_dma_interrupt(InterruptHandler handler) {
  if (handler == nullptr) halt("connect_dma_interrupt() needs a handler");
  NativeBoard::Machine &machine = current_machine();
  machine.handlers[NativeBoard::Machine::kDmaLine] = handler;
  machine.restore_interrupts(machine.masked);  // runs the handler if the line is high already
}

unsigned set_npu_interrupt_priority(unsigned priority) {
  constexpr unsigned kPriorities = 8;  // as the boards with a Cortex-M55 have; handlers never nest here
  static_cast<void>(priority);
  return kPriorities;
}

extern "C" [[gnu::weak]] std::uint32_t cox_os_lock() {
  NativeBoard::Machine &machine = current_machine();
  const bool before = machine.masked;
  machine.masked = true;
  return before ? 1 : 0;
}

extern "C" [[gnu::weak]] void cox_os_unlock(std::uint32_t masked) { current_machine().restore_interrupts(masked != 0); }

void wait_for_interrupt() { current_machine().wait(); }

// The completion interrupt is pending only while its line is high, so there is no pending state to clear before the sleep.
void wait_for_completion() { current_machine().sleep(); }

std::uint64_t microseconds() { return current_machine().now / 1000; }

std::uint64_t executed_instructions() { return UINT64_MAX; }

std::uint64_t awake_microseconds() { return UINT64_MAX; }

std::span<std::byte> queue_memory() { return current_machine().sram.bytes().last(BOARD_QUEUES_SIZE); }

std::uintptr_t dram_base() { return BOARD_DRAM_BASE; }

std::size_t dram_size() { return current_machine().dram.bytes().size(); }

// Programs without a board use these functions, too.
extern "C" std::uint64_t cox_bus_address(const void *memory) {
  const NativeBoard::Machine *const machine = machine_if_any();
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return machine == nullptr ? address : machine->bus_address(address);
}

extern "C" void *cox_core_address(std::uint64_t address) {
  const NativeBoard::Machine *const machine = machine_if_any();
  return reinterpret_cast<void *>(machine == nullptr ? address : machine->core_address(address));  // NOLINT(performance-no-int-to-ptr)
}

std::span<std::byte> retained_memory() { return current_machine().retained; }

ResetCause reset_cause() { return current_machine().cause; }

void start_watchdog(std::uint32_t microseconds) {
  current_machine().watchdog_us = microseconds;
  feed_watchdog();
}

void feed_watchdog() { current_machine().feed_watchdog(); }

void exit(int status) {
  // The process ends here without destroying the NativeBoard, so the board is switched off explicitly.
  if (NativeBoard::Machine *machine = machine_if_any(); machine != nullptr) machine->power_off();
  std::exit(status);
}

}  // namespace cox::board
