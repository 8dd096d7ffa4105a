// SPDX-License-Identifier: MIT
// hal/board.h on a board with a Cortex-M55. Console and time have files of their own.
#include <algorithm>
#include <string_view>

#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/hooks.h"
#include "boards/cortex-m55/layout.h"
#include "boards/cortex-m55/semihosting.h"
#include "boards/cortex-m55/tick.h"
#include "boards/cortex-m55/watchdog.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/completion_sleep.h"
#include "coxswain/hal/cox_bus.h"

namespace cox::board {
namespace {

InterruptHandler completion_handler = nullptr;
InterruptHandler fault_handler = nullptr;

}  // namespace

bool accelerator_present() { return board_accelerator_present() != 0; }

void connect_npu_interrupts(InterruptHandler completion, InterruptHandler fault) {
  NVIC_DisableIRQ(BOARD_IRQN(BOARD_NPU_COMPLETION_IRQ));
  NVIC_DisableIRQ(BOARD_IRQN(BOARD_NPU_FAULT_IRQ));
  completion_handler = completion;
  fault_handler = fault;
  NVIC_EnableIRQ(BOARD_IRQN(BOARD_NPU_COMPLETION_IRQ));
  NVIC_EnableIRQ(BOARD_IRQN(BOARD_NPU_FAULT_IRQ));
}

#if defined(BOARD_DMA_BASE)

namespace {

InterruptHandler dma_handler = nullptr;

}  // namespace

std::uintptr_t dma_registers() { return BOARD_DMA_BASE; }

void connect_dma_interrupt(InterruptHandler handler) {
  NVIC_DisableIRQ(BOARD_IRQN(BOARD_DMA_IRQ));
  dma_handler = handler;
  NVIC_EnableIRQ(BOARD_IRQN(BOARD_DMA_IRQ));
}

extern "C" [[gnu::weak]] void DMA_IRQHandler() { dma_handler(); }

#endif

extern "C" [[gnu::weak]] void NPU_COMPLETION_IRQHandler() { completion_handler(); }
extern "C" [[gnu::weak]] void NPU_FAULT_IRQHandler() { fault_handler(); }

unsigned set_npu_interrupt_priority(unsigned priority) {
  constexpr unsigned kPriorities = 1U << __NVIC_PRIO_BITS;
  if (priority < kPriorities) {
    NVIC_SetPriority(BOARD_IRQN(BOARD_NPU_COMPLETION_IRQ), priority);
    NVIC_SetPriority(BOARD_IRQN(BOARD_NPU_FAULT_IRQ), priority);
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

[[gnu::weak]] std::uint64_t executed_instructions() { return UINT64_MAX; }

[[gnu::weak]] std::uint64_t awake_microseconds() { return UINT64_MAX; }

std::span<std::byte> queue_memory() { return {linker_queues_start, linker_queues_end}; }

std::span<std::byte> retained_memory() { return {linker_retained_start, linker_retained_end}; }
static_assert(BOARD_RETAINED_SIZE == kRetainedBytes);

std::uintptr_t dram_base() { return BOARD_DRAM_BASE; }

std::size_t dram_size() { return static_cast<std::size_t>(std::min<std::uint64_t>(board_dram_size(), BOARD_DRAM_SIZE_MAX)); }

// A board whose memories all have the core's addresses on the bus, too, uses the library's default, or has functions of its own.
#if BOARD_CODE_BUS_BASE != BOARD_CODE_BASE || BOARD_SRAM_BUS_BASE != BOARD_SRAM_BASE || BOARD_DRAM_BUS_BASE != BOARD_DRAM_BASE

namespace {

struct Memory {
  std::uint32_t base, bus, size;
};
constexpr Memory kMemories[] = {{BOARD_DRAM_BASE, BOARD_DRAM_BUS_BASE, BOARD_DRAM_SIZE_MAX},
                                {BOARD_SRAM_BASE, BOARD_SRAM_BUS_BASE, BOARD_SRAM_SIZE},
                                {BOARD_CODE_BASE, BOARD_CODE_BUS_BASE, BOARD_CODE_SIZE}};

}  // namespace

extern "C" std::uint64_t cox_bus_address(const void *memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  for (const Memory &each : kMemories) {
    if (address - each.base < each.size) return address - each.base + each.bus;
  }
  return address;
}

extern "C" void *cox_core_address(std::uint64_t address) {
  auto result = static_cast<std::uintptr_t>(address);
  for (const Memory &each : kMemories) {
    if (address - each.bus < each.size) {
      result = result - each.bus + each.base;
      break;
    }
  }
  return reinterpret_cast<void *>(result);  // NOLINT(performance-no-int-to-ptr): memory of the map
}

#endif

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
