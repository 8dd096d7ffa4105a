// SPDX-License-Identifier: MIT
// The CMSDK APB watchdog: a counter that resets the SoC when it reaches 0 for the second time.
#include <algorithm>
#include <cstdint>

#include "board.h"
#include "boards/cortex-m55/watchdog.h"
#include "coxswain/hal/board.h"

#ifdef BOARD_WATCHDOG_BASE

namespace cox::board {
namespace {

struct Registers {
  std::uint32_t load;
  std::uint32_t value;
  std::uint32_t control;
  std::uint32_t clear;
  std::uint32_t raw_status;
  std::uint32_t masked_status;
};
constexpr std::uint32_t kCount = 1U << 0;  ///< CONTROL.INTEN: the counter runs
constexpr std::uint32_t kReset = 1U << 1;  ///< CONTROL.RESEN: the SoC is reset when the counter reaches 0 for the second time

/// Returns the clocks of a time, rounded down, but at most what the counter holds.
constexpr std::uint32_t clocks_in(std::uint32_t microseconds) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{microseconds} * BOARD_REFERENCE_CLOCK / 1'000'000, UINT32_MAX));
}

/// Value of `state` while the watchdog runs. `state` outlives a reset. If it is kRunning at start-up, the watchdog caused the reset,
/// because a program that ends calls watchdog::stop(), which clears `state`.
constexpr std::uint32_t kRunning = 0x57444F47;
[[gnu::section(".noinit")]] std::uint32_t state;
ResetCause cause = ResetCause::power_on;

volatile Registers &registers() { return *reinterpret_cast<volatile Registers *>(BOARD_WATCHDOG_BASE); }

}  // namespace

void watchdog::note_reset() {
  cause = state == kRunning ? ResetCause::watchdog : ResetCause::power_on;
  state = 0;
}

void watchdog::stop() {
  registers().control = 0;
  state = 0;
}

ResetCause reset_cause() { return cause; }

void start_watchdog(std::uint32_t microseconds) {
  state = kRunning;
  // The counter runs two rounds before it resets the SoC. The end of the first round only raises an interrupt, which the firmware does not
  // use.
  registers().load = std::max<std::uint32_t>(clocks_in(microseconds / 2), 1);
  registers().control = kCount | kReset;
}

void feed_watchdog() { registers().clear = 1; }

}  // namespace cox::board

#else

namespace cox::board {

void watchdog::note_reset() {}
void watchdog::stop() {}
ResetCause reset_cause() { return ResetCause::power_on; }
void start_watchdog(std::uint32_t /*microseconds*/) {}
void feed_watchdog() {}

}  // namespace cox::board

#endif
