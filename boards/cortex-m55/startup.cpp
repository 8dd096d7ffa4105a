// SPDX-License-Identifier: MIT
// From reset to main: the vector table, and the set-up that C++ code needs. reset.S runs before start().
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/entry.h"
#include "boards/cortex-m55/heap.h"
#include "boards/cortex-m55/layout.h"
#include "boards/cortex-m55/memory_protection.h"
#include "boards/cortex-m55/semihosting.h"
#include "boards/cortex-m55/tick.h"
#include "boards/cortex-m55/uart.h"
#include "boards/cortex-m55/watchdog.h"
#include "coxswain/hal/board.h"

int main();

extern "C" {

[[noreturn]] void Reset_Handler();
void HardFault_Handler();
[[noreturn]] void Fault_Handler();
void SysTick_Handler();
void SVC_Handler();
void PendSV_Handler();
void UART_IRQHandler();
void MAILBOX_IRQHandler();
void NPU_COMPLETION_IRQHandler();
void NPU_FAULT_IRQHandler();
#if defined(BOARD_DMA_BASE)
void DMA_IRQHandler();
#endif

}  // extern "C"

namespace {

using Handler = void (*)();

static_assert(SCB_BASE + offsetof(SCB_Type, CPACR) == ENTRY_CPACR);

constexpr std::size_t kFirstInterrupt = 16;

struct VectorTable {
  std::byte *stack;
  std::array<Handler, kFirstInterrupt + BOARD_INTERRUPTS - 1> handlers;
};

constexpr VectorTable make_vector_table() {
  // handlers[n - 1] handles exception n. Fault_Handler reports every exception that has no handler of its own.
  VectorTable table = {linker_stack_top, {}};
  for (Handler &handler : table.handlers) handler = Fault_Handler;
  table.handlers[0] = Reset_Handler;
  table.handlers[kFirstInterrupt + HardFault_IRQn - 1] = HardFault_Handler;
  table.handlers[kFirstInterrupt + SVCall_IRQn - 1] = SVC_Handler;
  table.handlers[kFirstInterrupt + PendSV_IRQn - 1] = PendSV_Handler;
  table.handlers[kFirstInterrupt + SysTick_IRQn - 1] = SysTick_Handler;
  table.handlers[kFirstInterrupt + UART_IRQn - 1] = UART_IRQHandler;
#ifdef MAILBOX_IRQn
  table.handlers[kFirstInterrupt + MAILBOX_IRQn - 1] = MAILBOX_IRQHandler;
#endif
  table.handlers[kFirstInterrupt + NPU_COMPLETION_IRQn - 1] = NPU_COMPLETION_IRQHandler;
  table.handlers[kFirstInterrupt + NPU_FAULT_IRQn - 1] = NPU_FAULT_IRQHandler;
#if defined(BOARD_DMA_BASE)
  table.handlers[kFirstInterrupt + DMA_IRQn - 1] = DMA_IRQHandler;
#endif
  return table;
}

__attribute__((section(".vectors"), used)) constinit const VectorTable vectors = make_vector_table();

std::size_t length(const std::byte *first, const std::byte *last) { return static_cast<std::size_t>(last - first); }

void report_faults_as_themselves() {
  SCB->SHCSR |= SCB_SHCSR_USGFAULTENA_Msk | SCB_SHCSR_BUSFAULTENA_Msk | SCB_SHCSR_MEMFAULTENA_Msk;
  SCB->CCR |= SCB_CCR_DIV_0_TRP_Msk;
}

}  // namespace

extern "C" {

[[noreturn]] __attribute__((used)) void start() {
  std::memcpy(linker_data_start, linker_data_image, length(linker_data_start, linker_data_end));
  std::memset(linker_bss_start, 0, length(linker_bss_start, linker_bss_end));

  report_faults_as_themselves();
  cox::board::uart::start();
  if (!cox::board::memory_protection::start()) {
    constexpr std::string_view kRefusal = "start-up: this core's MPU has too few regions\n";
    cox::board::console_write(kRefusal);
    cox::board::exit(1);
  }
  cox::board::semihosting::detect();
  cox::board::watchdog::note_reset();
  cox::board::tick::start();

  for (const Constructor *constructor = linker_init_array_start; constructor != linker_init_array_end; ++constructor) (*constructor)();
  cox::board::heap::close();
  cox::board::exit(main());
}

}  // extern "C"
