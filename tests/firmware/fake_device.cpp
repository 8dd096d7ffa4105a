// SPDX-License-Identifier: MIT
#include "tests/firmware/fake_device.h"

#include <algorithm>
#include <cstdlib>

#include "coxswain/hal/soc.h"

namespace cox::tests {

using hal::FaultCode;
using isa::tile::MachineCode;

namespace {

FakeDevice *current_device = nullptr;

constexpr std::uint32_t kCompletionQueue = 0x100, kSubmissionQueues = 0x1000, kContexts = 0x4000;

}  // namespace

FakeDevice::FakeDevice(unsigned cores) : cores_(cores) {
  current_device = this;
  hal::native::set_bus(this);
  if (const std::optional<std::uint64_t> seed = board::cache_seed_of_environment()) {
    std::string error;
    if (!cache_.emplace().create(core_dram(), *seed, error)) violations.push_back(error);
  }
}

void FakeDevice::barrier() {
  if (cache_) cache_->disturb();
}

void FakeDevice::maintain_cache(hal::native::CacheOperation operation, std::uintptr_t address, std::size_t bytes) {
  if (cache_) cache_->maintain(operation, address, bytes);
  on_maintenance();
}

FakeDevice::~FakeDevice() {
  hal::native::set_bus(nullptr);
  current_device = nullptr;
}

const MachineCode &FakeDevice::head_of(const Queue &queue) const {
  return reinterpret_cast<const MachineCode *>(queue.base)[queue.head & (queue.size() - 1)];
}

bool FakeDevice::in_flight(unsigned context) const {
  for (const Queue &queue : queues_) {
    if (queue.base == 0) continue;
    for (std::uint32_t index = queue.head; index != queue.tail; ++index) {
      if (isa::tile::context_of(reinterpret_cast<const MachineCode *>(queue.base)[index & (queue.size() - 1)]) == context) return true;
    }
  }
  return false;
}

void FakeDevice::reset_core(unsigned core) {
  std::fill_n(queues_.begin() + core * isa::tile::kClasses, isa::tile::kClasses, Queue{});
  completions_[core] = {};
}

bool FakeDevice::completion_line() const {
  return std::any_of(completions_.begin(), completions_.end(), [](const Queue &queue) { return queue.head != queue.tail; });
}

namespace {

/// Returns the number of the submission queue that has a register at `offset`.
unsigned queue_at(std::uint32_t offset) {
  const std::uint32_t from = offset - kSubmissionQueues;
  return from / 0x400 * isa::tile::kClasses + from % 0x400 / 0x40;
}

}  // namespace

std::uint32_t FakeDevice::read(std::uintptr_t address) {
  if (cache_) cache_->disturb();
  const auto offset = static_cast<std::uint32_t>(address - COX_NPU_BASE);
  if (offset >= kContexts) {
    const unsigned context = (offset - kContexts) / 0x80;
    if ((offset & 0x7F) == 0x0C) return weights_of_context[context];
    if ((offset & 0x7F) == 0x10) return cores_of_context[context];
    return (offset & 0x7F) == 0 ? std::uint32_t{valid_[context]} | std::uint32_t{quarantined_[context]} << 8 : 0;
  }
  if (offset >= registers::engine::kBase) return 0;
  if (offset >= kSubmissionQueues) {
    const Queue &queue = queues_[queue_at(offset)];
    switch (offset & 0x3F) {
      case 0x08: return queue.control;
      case 0x0C: return queue.tail;
      case 0x10: return queue.head;
      case 0x14: return queue.busy ? 1 : 0;
      case 0x18: return queue.finished;
      default: return 0;
    }
  }
  switch (offset) {
    case registers::id::kOffset: return id;
    case registers::version::kOffset: return 0x10000;
    case registers::capabilities::kOffset: return capabilities;
    case registers::geometry3::kOffset: return registers::geometry3::kResetValue;
    case registers::geometry4::kOffset: return registers::geometry4::kResetValue;
    case registers::geometry5::kOffset: return registers::geometry5::kResetValue;
    case registers::geometry6::kOffset: return registers::geometry6::kResetValue;
    case registers::geometry0::kOffset: return cores_ | 16U << 4 | 8U << 12 | 16U << 20;
    case registers::geometry1::kOffset: return 20480U | 1024U << 16;
    case registers::geometry2::kOffset: return 4096U | 15U << 16;
    case registers::clock::kOffset: return 1000;
    case registers::cycle_lo::kOffset: return static_cast<std::uint32_t>(now);
    case registers::cycle_hi::kOffset: return static_cast<std::uint32_t>(now >> 32);
    case registers::clock_enable::kOffset: return clocks;
    case registers::ecc_corrected::kOffset: return corrected_errors;
    case registers::int_status::kOffset: {
      std::uint32_t pending = 0;
      for (unsigned core = 0; core < cores_; ++core) pending |= completions_[core].head != completions_[core].tail ? 1U << core : 0;
      return pending;
    }
    default: break;
  }
  if (offset < kCompletionQueue || offset >= kCompletionQueue + 0x20 * kMostCores) return 0;
  const Queue &queue = completions_[(offset - kCompletionQueue) / 0x20];
  switch (offset & 0x1F) {
    case 0x0C: return queue.head;
    case 0x10: return queue.tail;
    default: return 0;
  }
}

void FakeDevice::write(std::uintptr_t address, std::uint32_t value) {
  if (cache_) cache_->disturb();
  const auto offset = static_cast<std::uint32_t>(address - COX_NPU_BASE);
  if (offset >= kContexts) {
    const unsigned context = (offset - kContexts) / 0x80;
    if ((offset & 0x7F) == 0x0C) weights_of_context[context] = value;
    if ((offset & 0x7F) == 0x10) cores_of_context[context] = value;
    if (const unsigned word = (offset & 0x7F) / 4; word >= 8 && word < 24 && word % 4 < 2) {
      std::uint64_t &base = windows_of_context[context][word / 4 - 2];
      base = word % 4 == 0 ? (base >> 32 << 32) | value : (base & 0xFFFFFFFF) | std::uint64_t{value} << 32;
    }
    if ((offset & 0x7F) != 0) return;
    if ((value & 4) != 0) {
      if (in_flight(context)) violations.emplace_back("a context was reset with instructions in flight");
      quarantined_[context] = false;
    }
    valid_[context] = (value & 1) != 0;
    if ((value & 2) != 0) {
      quarantined_[context] = true;
      start_what_can();
    }
    return;
  }
  if (offset >= kSubmissionQueues) {
    Queue &queue = queues_[queue_at(offset)];
    switch (offset & 0x3F) {
      case 0x00: queue.base = value; return;
      case 0x04: queue.base |= std::uint64_t{value} << 32; return;
      case 0x08: queue.control = value; return;
      case 0x0C:
        // A disabled queue, as after a reset, ignores the doorbell.
        if ((queue.control & 1) == 0) return;
        if (!doorbell(queue_at(offset))) return;
        if (value - queue.head > queue.size()) violations.emplace_back("a ring was overrun");
        queue.tail = value;
        start_what_can();
        return;
      default: violations.emplace_back("a write to a read-only register"); return;
    }
  }
  switch (offset) {
    case registers::engine_reset::kOffset:
      for (unsigned core = 0; core < cores_; ++core) {
        if ((value >> core & 1) == 0) continue;
        ++core_resets;
        if ((clocks >> core & 1) == 0) violations.emplace_back("a core without a clock was reset");
        if (reset_works) reset_core(core);
      }
      return;
    case registers::int_status::kOffset: fault_pending_ = false; return;
    case registers::clock_enable::kOffset:
      clocks = value;
      start_what_can();
      return;
    default: break;
  }
  if (offset < kCompletionQueue || offset >= kCompletionQueue + 0x20 * kMostCores) return;
  Queue &queue = completions_[(offset - kCompletionQueue) / 0x20];
  switch (offset & 0x1F) {
    case 0x00: queue.base = value; return;
    case 0x04: queue.base |= std::uint64_t{value} << 32; return;
    case 0x08: queue.control = value; return;
    case 0x0C:
      if ((queue.control & 1) == 0) return;
      if (value - queue.head > queue.tail - queue.head) violations.emplace_back("CQ.HEAD past TAIL");
      queue.head = value;
      return;
    default: return;
  }
}

void FakeDevice::start_what_can() {
  for (unsigned index = 0; index < queues_.size(); ++index) {
    Queue &queue = queues_[index];
    if ((clocks >> index / isa::tile::kClasses & 1) == 0) continue;
    while (!queue.busy && queue.head != queue.tail) {
      const MachineCode code = head_of(queue);
      if (quarantined_[isa::tile::context_of(code)]) {
        executed.push_back({index, isa::tile::context_of(code), code, now, now, FaultCode::aborted});
        ++queue.head;
        if (isa::tile::completion_of(code)) complete(index, code, FaultCode::aborted);
        continue;
      }
      if (unreadable(index, code)) {
        constexpr unsigned kNoContext = 0xFF;
        ++queue.head;
        fault_pending_ = true;
        complete(index, kNoContext, FaultCode::bus_error);
        continue;
      }
      const std::uint64_t cycles = duration(index, code);
      queue.busy = true;
      queue.end = cycles == kNever ? kNever : now + cycles;
      executed.push_back({index, isa::tile::context_of(code), code, now, queue.end, FaultCode::none});
    }
  }
}

void FakeDevice::finish(unsigned index) {
  Queue &queue = queues_[index];
  const MachineCode code = head_of(queue);
  const FaultCode status = outcome(index, code);
  queue.busy = false;
  ++queue.head;
  ++queue.finished;
  if (status != FaultCode::none) {
    quarantined_[isa::tile::context_of(code)] = true;
    fault_pending_ = true;
  }
  if (isa::tile::completion_of(code) || status != FaultCode::none) complete(index, code, status);
  start_what_can();
}

void FakeDevice::complete(unsigned index, unsigned context, FaultCode status) {
  Queue &entries = completions_[index / isa::tile::kClasses];
  const std::uint32_t size = entries.size();
  if (entries.tail - entries.head >= size) {
    violations.emplace_back("the fake device does not stall on a full completion queue");
    return;
  }
  hal::Completion entry{0, index | static_cast<std::uint32_t>(status) << 8 | context << 16, static_cast<std::uint32_t>(now),
                        status == FaultCode::none ? static_cast<std::uint32_t>(now >> 32) : 0xDEAD};
  const std::uint32_t phase = (entries.tail / size & 1) == 0 ? 1 : 0;
  entry.outcome |= phase << 31;
  entry.identity = hal::Completion::identity_of(queues_[index].head - 1, entry.outcome);
  if (!completion(entry)) return;
  reinterpret_cast<hal::Completion *>(entries.base)[entries.tail & (size - 1)] = entry;
  ++entries.tail;
}

void FakeDevice::run_handlers() {
  // Handlers run one at a time. They run again as long as the interrupt line is high.
  for (unsigned i = 0; i < 1000 && (completion_line() || fault_pending_); ++i) {
    masked = true;
    if (fault_pending_ && fault_handler != nullptr) fault_handler();
    if (completion_line() && handler != nullptr) handler();
  }
}

void FakeDevice::sleep() {
  if (cache_) cache_->sleep();
  const std::uint64_t tick = ticks ? next_tick_ : now + kTick;
  while (!completion_line() && !fault_pending_ && now < tick) {
    Queue *next = nullptr;
    for (Queue &queue : queues_) {
      if (queue.busy && queue.end <= tick && (next == nullptr || queue.end < next->end)) next = &queue;
    }
    if (reset_at_ <= (next == nullptr ? tick : next->end)) {
      now = reset_at_;
      reset_at_ = kNever;
      reset_core(core_to_reset_);
      continue;
    }
    if (next == nullptr) {
      now = tick;
      break;
    }
    now = next->end;
    finish(static_cast<unsigned>(next - queues_.data()));
  }
  masked = true;
}

void FakeDevice::take_tick() {
  if (now >= next_tick_) next_tick_ = now - now % kTick + kTick;
}

void FakeDevice::wait() {
  sleep();
  take_tick();
  run_handlers();
  masked = true;
}

void FakeDevice::restore_interrupts(bool before) {
  masked = before;
  if (before) return;
  take_tick();
  run_handlers();
  masked = false;
}

}  // namespace cox::tests

namespace cox::board {

using tests::current_device;

void console_write(std::span<const char> text) { current_device->console.append(text.data(), text.size()); }

int console_read_char() {
  if (current_device->typed.empty()) return -1;
  const char first = current_device->typed.front();
  current_device->typed.erase(0, 1);
  return static_cast<unsigned char>(first);
}

void connect_npu_interrupts(InterruptHandler completion, InterruptHandler fault) {
  current_device->handler = completion;
  current_device->fault_handler = fault;
}

unsigned set_npu_interrupt_priority(unsigned /*priority*/) { return 1; }
extern "C" std::uint32_t cox_os_lock() {
  const bool before = current_device->masked;
  current_device->masked = true;
  return before ? 1 : 0;
}

extern "C" void cox_os_unlock(std::uint32_t masked) { current_device->restore_interrupts(masked != 0); }
void wait_for_interrupt() { current_device->wait(); }
void wait_for_completion() { current_device->sleep(); }
std::uint64_t microseconds() { return current_device->now / 1000; }
std::uint64_t executed_instructions() { return UINT64_MAX; }
std::uint64_t awake_microseconds() { return current_device->awake_us; }
std::span<std::byte> queue_memory() { return current_device->queue_memory(); }
std::uintptr_t dram_base() { return reinterpret_cast<std::uintptr_t>(current_device->core_dram().data()); }
std::size_t dram_size() { return current_device->core_dram().size(); }
std::span<std::byte> retained_memory() { return current_device->retained; }
ResetCause reset_cause() { return current_device->cause; }
void start_watchdog(std::uint32_t microseconds) { current_device->watchdog_us = microseconds; }
void feed_watchdog() {
  ++current_device->feeds;
  current_device->on_feed();
}
void exit(int status) { std::exit(status); }

}  // namespace cox::board
