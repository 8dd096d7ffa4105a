// SPDX-License-Identifier: MIT
// Tests the firmware's trace on the control core: contents of the ring, and instructions per event.
#include <cstdint>
#include <cstdio>

#include "coxswain/firmware/trace/trace.h"
#include "coxswain/hal/board.h"
#include "tests/target/selftest/selftest.h"

namespace {

namespace board = cox::board;
namespace trace = cox::firmware::trace;

constexpr std::uint32_t kCalls = 3000;  // more than the ring holds, so it wraps

// with_event() and without() differ only in the event. The difference of their instruction counts is the cost of an event whose three
// numbers are in registers.
[[gnu::noinline]] void with_event(std::uint32_t context, std::uint32_t lane, std::uint32_t argument) {
  trace::record<trace::Kind::dispatch>(context, lane, argument);
  asm volatile("" ::"r"(context), "r"(lane), "r"(argument));
}
[[gnu::noinline]] void without(std::uint32_t context, std::uint32_t lane, std::uint32_t argument) {
  asm volatile("" ::"r"(context), "r"(lane), "r"(argument));
}

std::uint64_t instructions(void (*call)(std::uint32_t, std::uint32_t, std::uint32_t)) {
  const std::uint64_t before = board::executed_instructions();
  for (std::uint32_t i = 0; i < kCalls; ++i) call(i % 16, i % 36, i);
  return board::executed_instructions() - before;
}

bool ring_is_right() {
  if (trace::count() != kCalls) return false;
  std::uint32_t last = 0;
  for (std::uint32_t i = kCalls - trace::kEvents; i < kCalls; ++i) {
    const trace::Event &event = trace::event(i);
    if (event.what != (1 | i % 16 << 4 | i % 36 << 8 | i << 16) || event.time < last) return false;
    last = event.time;
  }
  return true;
}

}  // namespace

int main() {
  const bool masked = board::mask_interrupts();
  const std::uint64_t with = instructions(with_event);
  const std::uint64_t none = instructions(without);
  board::restore_interrupts(masked);
  selftest::verdict("events in the ring", ring_is_right());
  const auto hundredths = static_cast<unsigned>((with - none) * 100 / kCalls);
  std::printf("trace.instructions_per_event %u.%02u\n", hundredths / 100, hundredths % 100);
  return selftest::failed ? 1 : 0;
}
