// SPDX-License-Identifier: MIT
#include "boards/cortex-m55/tick.h"

#include <cstdint>

#include "boards/cortex-m55/device.h"
#include "coxswain/hal/board.h"

namespace cox::board {
namespace {

constexpr std::uint32_t kClocksPerTick = BOARD_CORE_CLOCK / BOARD_TICKS_PER_SECOND;
constexpr std::uint32_t kClocksPerMicrosecond = BOARD_CORE_CLOCK / 1'000'000;
constexpr std::uint32_t kMicrosecondsPerTick = 1'000'000 / BOARD_TICKS_PER_SECOND;
static_assert(kClocksPerTick - 1 < (1U << 24), "SysTick has 24 bits");

volatile std::uint64_t counted = 0;  ///< microseconds of all ticks so far
std::uint64_t latest = 0;            ///< last result of microseconds()

}  // namespace

void tick::start() {
  SysTick->LOAD = kClocksPerTick - 1;
  SysTick->VAL = 0;
  SysTick->CTRL = SysTick_CTRL_CLKSOURCE_Msk | SysTick_CTRL_TICKINT_Msk | SysTick_CTRL_ENABLE_Msk;
}

void tick::stop() { SysTick->CTRL = 0; }

std::uint64_t microseconds() {
  const std::uint32_t masked = __get_PRIMASK();
  __disable_irq();
  std::uint64_t whole = counted;
  std::uint32_t left = SysTick->VAL;
  if ((SCB->ICSR & SCB_ICSR_PENDSTSET_Msk) != 0) {
    // SysTick_Handler has not counted this tick yet. `left` may be from before the tick, so read it again.
    whole += kMicrosecondsPerTick;
    left = SysTick->VAL;
  }
  // The tick comes when the counter reaches 0, not when it reloads.
  const std::uint32_t clocks = left == 0 ? 0 : kClocksPerTick - left;
  const std::uint64_t now = whole + clocks / kClocksPerMicrosecond;
  // The counter may read 0 a moment before the tick is pending. `now` is then one tick too low, so return the last result.
  if (now > latest) latest = now;
  const std::uint64_t result = latest;
  __set_PRIMASK(masked);
  return result;
}

extern "C" void SysTick_Handler() { counted = counted + kMicrosecondsPerTick; }

}  // namespace cox::board
