// SPDX-License-Identifier: MIT
// hal/board.h on a board with a Cortex-M55. Console and time have files of their own.
#include "board.h"

#include <string_view>

#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/layout.h"
#include "boards/cortex-m55/semihosting.h"
#include "boards/cortex-m55/tick.h"
#include "boards/cortex-m55/watchdog.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/completion_sleep.h"

namespace cox::board {
namespace {

InterruptHandler completion_handler = nullptr;
InterruptHandler fault_handler = nullptr;

std::uint32_t probe(std::uint32_t offset) { return *reinterpret_cast<volatile const std::uint32_t *>(BOARD_PROBE_BASE + offset); }

}  // namespace

void connect_npu_interrupts(InterruptHandler completion, InterruptHandler fault) {
  NVIC_DisableIRQ(NPU_COMPLETION_IRQn);
  NVIC_DisableIRQ(NPU_FAULT_IRQn);
  completion_handler = completion;
  fault_handler = fault;
  NVIC_EnableIRQ(NPU_COMPLETION_IRQn);
  NVIC_EnableIRQ(NPU_FAULT_IRQn);
}

#if defined(BOARD_DMA_BASE)

namespace {

InterruptHandler dma_handler = nullptr;

}  // namespace

std::uintptr_t dma_registers() { return BOARD_DMA_BASE; }

void connect_dma_interrupt(InterruptHandler handler) {
  NVIC_DisableIRQ(DMA_IRQn);
  dma_handler = handler;
  NVIC_EnableIRQ(DMA_IRQn);
}

extern "C" void DMA_IRQHandler() { dma_handler(); }

#endif

extern "C" void NPU_COMPLETION_IRQHandler() { completion_handler(); }
extern "C" void NPU_FAULT_IRQHandler() { fault_handler(); }

unsigned set_npu_interrupt_priority(unsigned priority) {
  constexpr unsigned kPriorities = 1U << __NVIC_PRIO_BITS;
  if (priority < kPriorities) {
    NVIC_SetPriority(NPU_COMPLETION_IRQn, priority);
    NVIC_SetPriority(NPU_FAULT_IRQn, priority);
  }
  return kPriorities;
}

extern "C" [[gnu::weak]] std::uint32_t cox_os_lock() {
  const std::uint32_t masked = __get_PRIMASK();
  __disable_irq();
  return masked;
}

extern "C" [[gnu::weak]] void cox_os_unlock(std::uint32_t masked) {
  if (masked != 0) return;
  __enable_irq();
  __ISB();  // pending interrupts are taken here, even if the caller masks interrupts again at once
}

void wait_for_interrupt() {
  // WFI wakes for a pending interrupt although PRIMASK keeps its handler from running. So no interrupt is lost between the caller's check
  // and the sleep.
  __DSB();
  __WFI();
  __enable_irq();
  __ISB();
  __disable_irq();
}

void wait_for_completion() { hal::sleep_until_completion(); }

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

std::span<std::byte> queue_memory() { return {linker_queues_start, linker_queues_end}; }

std::span<std::byte> retained_memory() { return {linker_retained_start, linker_retained_end}; }
static_assert(BOARD_RETAINED_SIZE == kRetainedBytes);

std::uintptr_t dram_base() { return BOARD_DRAM_BASE; }

std::size_t dram_size() { return probe(BOARD_PROBE_DRAM_SIZE); }

void exit(int status) {
  watchdog::stop();
  semihosting::exit(status);
  constexpr std::string_view kHalted = "halted\n";
  console_write(kHalted);
  __disable_irq();
  tick::stop();
  for (;;) __WFI();
}

}  // namespace cox::board
