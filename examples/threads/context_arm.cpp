// SPDX-License-Identifier: MIT
// Contexts on the Cortex-M55: each task has a stack, the process stack. PendSV switches (pend_sv.S).
#include <array>
#include <cstdint>

#include "boards/cortex-m55/device.h"
#include "examples/threads/context.h"
#include "examples/threads/kernel.h"

namespace cox::examples::threads {
namespace {

constexpr std::size_t kStacks = 8, kStackWords = 4096, kHandlerWords = 1024;
alignas(8) std::array<std::array<std::uint32_t, kStackWords>, kStacks> stacks;
alignas(8) std::array<std::uint32_t, kHandlerWords> handler_stack;

constexpr std::uint32_t kBasepri = std::uint32_t{kKernelPriority} << (8 - __NVIC_PRIO_BITS);
constexpr std::uint32_t kPendPendSv = 1U << 28;                                                        // of SCB->ICSR
volatile std::uint8_t *const kPendSvPriority = reinterpret_cast<volatile std::uint8_t *>(0xE000ED22);  // in SCB->SHPR3

Context *current = nullptr;    ///< the context that runs
Context *preempted = nullptr;  ///< the kernel's own context, which continues when a task is preempted
Context *volatile wanted = nullptr;
volatile unsigned long preemptions = 0;

// A tick for preemption, faster than the board's. The board then counts its microseconds in steps of its own tick.
constexpr unsigned kTicksPerBoardTick = 1000;
constexpr std::size_t kVectors = 16 + BOARD_INTERRUPTS, kVectorAlignment = 512;
alignas(kVectorAlignment) std::array<std::uint32_t, kVectors> vectors;
static_assert(sizeof(vectors) <= kVectorAlignment);
volatile unsigned ticks = 0;

}  // namespace

extern "C" {

/// For pend_sv.S: saves the stack pointer of the interrupted context. Returns that of the context to continue: the one that
/// switch_context() wants, or the kernel's own one if only the tick asks.
void *threads_next(void *stack) {
  Context *to = wanted;
  wanted = nullptr;
  if (to == nullptr && current != preempted) preemptions = preemptions + 1;
  current->stack = stack;
  current = to != nullptr ? to : preempted;
  return current->stack;
}

void SysTick_Handler();  // the board's

}  // extern "C"

namespace {

void preempting_tick() {
  ticks = ticks + 1;
  if (ticks % kTicksPerBoardTick == 0) SysTick_Handler();
  SCB->ICSR = kPendPendSv;
}

}  // namespace

void begin(Context &own) {
  current = preempted = &own;
  // The lowest priority: PendSV runs when no other handler does.
  *kPendSvPriority = 0xFF;
  // This thread continues on the process stack where it is, and handlers get a stack of their own.
  __set_MSPLIM(0);
  constexpr std::uint32_t kSelectProcessStack = 2;  // SPSEL of CONTROL
  std::uint32_t scratch = 0;
  __asm volatile(
      "mrs %0, msp\n\t"
      "msr psp, %0\n\t"
      "mrs %0, control\n\t"
      "orr %0, %0, %1\n\t"
      "msr control, %0\n\t"
      "isb\n\t"
      "msr msp, %2\n\t"
      : "=&r"(scratch)
      : "i"(kSelectProcessStack), "r"(handler_stack.data() + kHandlerWords)
      : "memory");
  __set_MSPLIM(reinterpret_cast<std::uint32_t>(handler_stack.data()));
}

void make_context(Context &context, std::size_t index, void (*function)()) {
  // What pend_sv.S restores: r4 to r11, EXC_RETURN (0: that of the interrupted thread, without floating point), then the exception's frame.
  constexpr std::size_t kSaved = 9, kFrame = 8, kPc = 6, kXpsr = 7;
  constexpr std::uint32_t kThumb = 1U << 24;
  std::uint32_t *const frame = stacks[index].data() + kStackWords - kFrame;
  frame[kPc] = reinterpret_cast<std::uint32_t>(function) & ~1U;
  frame[kXpsr] = kThumb;
  context.stack = frame - kSaved;
}

void switch_context(Context & /*from*/, Context &to) {
  wanted = &to;
  SCB->ICSR = kPendPendSv;
  __DSB();
  __ISB();  // PendSV runs here
}

void sleep(bool (*is_idle)()) {
  __disable_irq();
  if (is_idle()) {
    __DSB();
    __WFI();
  }
  __enable_irq();
  __ISB();
}

}  // namespace cox::examples::threads

void vPortStartPreemption() {
  namespace threads = cox::examples::threads;
  const auto *const before = reinterpret_cast<const std::uint32_t *>(SCB->VTOR);
  for (std::size_t i = 0; i < threads::kVectors; ++i) threads::vectors[i] = before[i];
  threads::vectors[16 + SysTick_IRQn] = reinterpret_cast<std::uint32_t>(threads::preempting_tick);
  SCB->VTOR = reinterpret_cast<std::uint32_t>(threads::vectors.data());
  __DSB();
  SysTick->LOAD = (SysTick->LOAD + 1) / threads::kTicksPerBoardTick - 1;
  SysTick->VAL = 0;
}

unsigned long ulPortPreemptions() { return cox::examples::threads::preemptions; }
unsigned long ulPortTicks() { return cox::examples::threads::ticks; }

std::uint32_t ulPortRaiseBASEPRI() {
  std::uint32_t before = 0;
  __asm volatile("mrs %0, basepri\n\tmsr basepri_max, %1\n\tisb" : "=&r"(before) : "r"(cox::examples::threads::kBasepri) : "memory");
  return before;
}

void vPortSetBASEPRI(std::uint32_t before) {
  __asm volatile("msr basepri, %0\n\tisb" ::"r"(before) : "memory");  // pending interrupts are taken here
}

// The port: critical sections leave interrupts of a higher priority running.
extern "C" std::uint32_t cox_os_lock() { return ulPortRaiseBASEPRI(); }
extern "C" void cox_os_unlock(std::uint32_t state) { vPortSetBASEPRI(state); }
