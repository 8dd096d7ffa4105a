// SPDX-License-Identifier: MIT
// Start-up as a program sees it: its hooks, its handlers, and the state of the core in main().
#include <cstdint>

#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/hooks.h"
#include "boards/cortex-m55/layout.h"
#include "coxswain/hal/board.h"
#include "tests/target/selftest/selftest.h"

namespace {

constexpr std::uint32_t kInitialised = 0x600DDA7A;
volatile std::uint32_t initialised = kInitialised;  // in .data

// What hooks and handlers note. Start-up does not clear these.
struct Notes {
  std::uint32_t early_data, early_vtor, early_fpu, clocks_data;
};
[[gnu::section(".noinit")]] volatile Notes notes;

volatile unsigned unnamed = 0, uart = 0, service = 0;
constexpr std::uint32_t kNewClock = 400000000;

std::uint32_t stack_limit() {
  std::uint32_t value = 0;
  __asm volatile("mrs %0, msplim" : "=r"(value));
  return value;
}

void raise(IRQn_Type interrupt) {
  NVIC_EnableIRQ(interrupt);
  NVIC_SetPendingIRQ(interrupt);
  __DSB();
  __ISB();
}

}  // namespace

extern "C" {

bool caches_are_invalidated_and_enabled();
bool enabled_caches_are_left_alone();

void Interrupt30_Handler();
void UART_IRQHandler();
void SVC_Handler();

void board_early_init() {
  notes.early_data = initialised;
  notes.early_vtor = SCB->VTOR;
  float value = static_cast<float>(SCB->CPACR >> 20 & 0xF);
  __asm volatile("" : "+t"(value));  // in a register of the FPU
  notes.early_fpu = static_cast<std::uint32_t>(value);
}

void board_init_clocks() {
  notes.clocks_data = initialised;
  SystemCoreClock = kNewClock;
}

void Interrupt30_Handler() { unnamed = unnamed + 1; }
void UART_IRQHandler() { uart = uart + 1; }
void SVC_Handler() { service = service + 1; }

}  // extern "C"

int main() {
  using selftest::verdict;
  const std::uint32_t table = cox::board::address_of(linker_vectors);
  verdict("early hook: before .data", notes.early_data != kInitialised && initialised == kInitialised);
  verdict("early hook: behind SystemInit", notes.early_vtor == table && notes.early_fpu == 0xF);
  verdict("clocks hook: behind .data", notes.clocks_data == kInitialised);
  verdict("SystemCoreClock", SystemCoreClock == kNewClock && SysTick->LOAD + 1 == kNewClock / BOARD_TICKS_PER_SECOND);
  verdict("VTOR", SCB->VTOR == table && table % 512 == 0);
  verdict("stack limit", stack_limit() == cox::board::address_of(linker_stack_limit));
  verdict("dram size", cox::board::dram_size() == board_dram_size() && board_dram_size() >= BOARD_DRAM_SIZE_MIN);
  raise(static_cast<IRQn_Type>(30));
  verdict("handler of a number", unnamed == 1);
  raise(UART_IRQn);
  verdict("handler instead of a driver's", uart == 1);
  __asm volatile("svc #0" ::: "memory");
  verdict("handler of an exception", service == 1);
  verdict("caches: invalidated, then enabled", caches_are_invalidated_and_enabled());
  verdict("caches: enabled ones", enabled_caches_are_left_alone());
  return selftest::failed ? 1 : 0;
}
