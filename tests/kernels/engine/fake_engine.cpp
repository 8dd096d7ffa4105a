// SPDX-License-Identifier: MIT
#include "tests/kernels/engine/fake_engine.h"

#include "coxswain/device/engine_bits.h"
#include "coxswain/hal/soc.h"

namespace cox::tests {

namespace {

FakeEngine *engine = nullptr;

constexpr std::uint32_t kEngine = 0x2000, kCompletions = 0x180;  // docs/registers.md: ENGINE[0], CQ[4]

}  // namespace

FakeEngine::FakeEngine(std::uint32_t index) : index_(index) {
  engine = this;
  hal::native::set_bus(this);
  reset();
}

FakeEngine::~FakeEngine() {
  hal::native::set_bus(nullptr);
  engine = nullptr;
}

void FakeEngine::reset() {
  engine_ = completions_ = {};
  engine_.tail = engine_.head = completions_.tail = completions_.head = index_;
}

hal::Completion FakeEngine::entry(std::uint32_t tag) const {
  const std::uint32_t phase = (completions_.tail / completions_.size() & 1) == 0 ? 1 : 0;
  const std::uint32_t outcome = phase << 31 | kContext << 16 | kQueueNumber;
  return {hal::Completion::identity_of(tag, outcome), outcome, static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(now >> 32)};
}

hal::Completion FakeEngine::fault(std::uint32_t tag, hal::FaultCode code, const registers::EngineFaultDetail &detail) const {
  hal::Completion completion = entry(tag);
  completion.outcome |= static_cast<std::uint32_t>(code) << 8;
  completion.identity = hal::Completion::identity_of(tag, completion.outcome);
  completion.time_high = detail.pack();
  return completion;
}

void FakeEngine::write(const hal::Completion &entry) {
  reinterpret_cast<hal::Completion *>(completions_.base)[completions_.tail & (completions_.size() - 1)] = entry;
  ++completions_.tail;
}

void FakeEngine::complete(std::uint32_t tag) {
  while (engine_.head != tag + 1) write(entry(engine_.head++));
}

bool FakeEngine::Queue::write(std::uint32_t offset, std::uint32_t value) {
  switch (offset) {
    case 0x00: base = value; return true;
    case 0x04: base |= std::uint64_t{value} << 32; return true;
    case 0x08: control = value; return true;
    default: return false;
  }
}

std::uint32_t FakeEngine::read(std::uintptr_t address) {
  switch (static_cast<std::uint32_t>(address - COX_NPU_BASE)) {
    case registers::id::kOffset: return registers::id::kResetValue;
    case registers::version::kOffset: return registers::version::kResetValue;
    case registers::capabilities::kOffset: return registers::capabilities_of(1);
    case registers::geometry0::kOffset: return registers::geometry0::kResetValue;
    case registers::geometry1::kOffset: return registers::geometry1::kResetValue;
    case registers::geometry2::kOffset: return registers::geometry2::kResetValue;
    case registers::geometry3::kOffset: return registers::geometry3::kResetValue;
    case registers::clock::kOffset: return registers::clock::kResetValue;
    case registers::cycle_lo::kOffset: return static_cast<std::uint32_t>(now);
    case registers::cycle_hi::kOffset: return static_cast<std::uint32_t>(now >> 32);
    case kEngine + 0x08: return engine_.control;
    case kEngine + 0x0C: return engine_.tail;
    case kEngine + 0x10: return engine_.head;
    case kCompletions + 0x0C: return completions_.head;
    case kCompletions + 0x10: return completions_.tail;
    default: return 0;
  }
}

void FakeEngine::write(std::uintptr_t address, std::uint32_t value) {
  const auto offset = static_cast<std::uint32_t>(address - COX_NPU_BASE);
  if (offset == registers::engine_reset::kOffset) {
    ++resets;
    reset();
  } else if (offset == kEngine + 0x0C) {
    engine_.tail = value;
  } else if (offset == kCompletions + 0x0C) {
    completions_.head = value;
  } else if (offset - kEngine < 0x40) {
    engine_.write(offset - kEngine, value);
  } else if (offset - kCompletions < 0x20) {
    completions_.write(offset - kCompletions, value);
  }
}

void FakeEngine::sleep() {
  now += 100;
  const std::uint32_t before = completions_.tail;
  on_sleep();
  if (completions_.tail == before) now += kTickUs * 1000;
}

}  // namespace cox::tests

namespace cox::board {

using tests::engine;

extern "C" std::uint32_t cox_os_lock() { return 0; }
extern "C" void cox_os_unlock(std::uint32_t) {}
unsigned set_npu_interrupt_priority(unsigned) { return 1; }
void connect_npu_interrupts(InterruptHandler, InterruptHandler) {}
std::span<std::byte> queue_memory() { return engine->memory(); }
void wait_for_completion() { engine->sleep(); }
std::uint64_t microseconds() { return engine->now / 1000; }
std::span<std::byte> retained_memory() { return engine->retained; }
ResetCause reset_cause() { return ResetCause::power_on; }

}  // namespace cox::board
