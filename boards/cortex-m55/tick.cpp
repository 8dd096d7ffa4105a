// SPDX-License-Identifier: MIT
#include "boards/cortex-m55/tick.h"

#include <cstdint>

#include "boards/cortex-m55/device.h"
#include "coxswain/hal/board.h"

namespace cox::board {
namespace {

constexpr std::uint32_t kMicrosecondsPerTick = 1'000'000 / BOARD_TICKS_PER_SECOND;
constexpr std::uint32_t kMostClocks = 1U << 24;  ///< SysTick has 24 bits

std::uint32_t clocks_per_tick = 0;
std::uint32_t clocks_per_microsecond = 1;
volatile std::uint64_t counted = 0;  ///< microseconds of all ticks so far
std::uint64_t latest = 0;            ///< last result of microseconds()

}  // namespace

bool tick::start() {
  clocks_per_tick = SystemCoreClock / BOARD_TICKS_PER_SECOND;
  clocks_per_microsecond = SystemCoreClock / 1'000'000;
  if (clocks_per_microsecond == 0 || clocks_per_tick > kMostClocks) return false;
  SysTick->LOAD = clocks_per_tick - 1;
  SysTick->VAL = 0;
  SysTick->CTRL = SysTick_CTRL_CLKSOURCE_Msk | SysTick_CTRL_TICKINT_Msk | SysTick_CTRL_ENABLE_Msk;
  return true;
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
  const std::uint32_t clocks = left == 0 ? 0 : clocks_per_tick - left;
  const std::uint64_t now = whole + clocks / clocks_per_microsecond;
  // The counter may read 0 a moment before the tick is pending. `now` is then one tick too low, so return the last result.
  if (now > latest) latest = now;
  const std::uint64_t result = latest;
  __set_PRIMASK(masked);
  return result;
}

extern "C" [[gnu::weak]] void SysTick_Handler() { counted = counted + kMicrosecondsPerTick; }

}  // namespace cox::board
