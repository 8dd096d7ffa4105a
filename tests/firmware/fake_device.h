// SPDX-License-Identifier: MIT
// A scripted device and the board around it. It has queues, contexts and interrupts as in docs/design.md, but no engines. Functions that
// the test provides decide how long each instruction takes and which faults occur.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "boards/native/core_cache.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/completion_queue.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/native_bus.h"
#include "coxswain/isa/tile/header.h"

namespace cox::tests {

/// An instruction that the device has executed, or that it has completed as aborted.
struct Executed {
  unsigned queue = 0;
  unsigned context = 0;
  isa::tile::MachineCode code{};
  std::uint64_t start = 0, end = 0;
  hal::FaultCode status = hal::FaultCode::none;
};

/// Only one FakeDevice may exist at a time, because it is the board of the process. Queue number = core * kClasses + class.
class FakeDevice final : public hal::native::Bus {
 public:
  static constexpr std::uint64_t kNever = UINT64_MAX;
  static constexpr std::uint64_t kTick = 10'000'000;  ///< cycles
  static constexpr unsigned kMostCores = isa::tile::kMostCores;

  explicit FakeDevice(unsigned cores = 1);
  ~FakeDevice();
  FakeDevice(const FakeDevice &) = delete;
  FakeDevice &operator=(const FakeDevice &) = delete;

  /// Returns the cycles that an instruction takes. Called when the instruction starts. kNever: the instruction does not end.
  std::function<std::uint64_t(unsigned queue, const isa::tile::MachineCode &code)> duration = [](unsigned, const auto &) { return 100; };
  /// Returns the status with which the instruction ends.
  std::function<hal::FaultCode(unsigned queue, const isa::tile::MachineCode &code)> outcome = [](unsigned, const auto &) {
    return hal::FaultCode::none;
  };
  /// Returns true if the device cannot read the slot. The instruction then ends with bus_error, and the device does not know its context.
  std::function<bool(unsigned queue, const isa::tile::MachineCode &code)> unreadable = [](unsigned, const auto &) { return false; };
  /// May change a completion entry before the device writes it. Returns false if the device must lose the entry.
  std::function<bool(hal::Completion &)> completion = [](hal::Completion &) { return true; };
  /// Returns true if the device notices the doorbell.
  std::function<bool(unsigned queue)> doorbell = [](unsigned) { return true; };
  bool reset_works = true;
  /// Resets the core without a request of the firmware, as a fault plan does.
  void reset_core(unsigned core);
  /// Resets the core after `cycles` cycles.
  void reset_in(unsigned core, std::uint64_t cycles) {
    reset_at_ = now + cycles;
    core_to_reset_ = core;
  }
  /// If true, sleep() ends at the next periodic tick at the latest. If false, it ends at most kTick cycles after its call.
  bool ticks = true;
  std::uint32_t id = registers::id::kResetValue;
  std::uint32_t capabilities = 1;  ///< CAPABILITIES. Bit 0 stands for the tile cores; a test may set bits of engines, which stay idle

  std::vector<Executed> executed;
  std::vector<std::string> violations;  ///< accesses that real hardware would answer with a bus fault
  std::string console;                  ///< characters that the firmware wrote
  std::string typed;                    ///< characters that the firmware has not read yet
  unsigned core_resets = 0;
  std::uint32_t clocks = registers::clock_enable::kResetValue;             ///< CLOCK_ENABLE
  std::uint32_t corrected_errors = 0;                                      ///< ECC_CORRECTED
  std::array<std::uint32_t, 16> cores_of_context{}, weights_of_context{};  ///< CONTEXT.CORES, CONTEXT.WL0
  std::array<std::array<std::uint64_t, 4>, 16> windows_of_context{};       ///< CONTEXT.WINDOW: their bases
  std::uint64_t now = 0;

  // Functions of hal::native::Bus.
  std::uint32_t read(std::uintptr_t address) override;
  void write(std::uintptr_t address, std::uint32_t value) override;
  void barrier() override;
  void maintain_cache(hal::native::CacheOperation operation, std::uintptr_t address, std::size_t bytes) override;

  // Functions of hal/board.h.
  void wait();
  void sleep();
  void restore_interrupts(bool masked);
  bool masked = false;
  board::InterruptHandler handler = nullptr;
  board::InterruptHandler fault_handler = nullptr;
  std::span<std::byte> queue_memory() { return std::as_writable_bytes(std::span(memory_)); }
  alignas(8) std::array<std::byte, board::kRetainedBytes> retained{};
  board::ResetCause cause = board::ResetCause::power_on;
  std::uint32_t watchdog_us = 0;  ///< timeout of the watchdog; 0: not started
  std::uint64_t awake_us = UINT64_MAX;
  /// Called when the firmware feeds the watchdog: in each turn of its loop, and in pauses of long work.
  std::function<void()> on_feed = [] {};
  /// Called after the firmware has cleaned or invalidated lines of its cache.
  std::function<void()> on_maintenance = [] {};
  unsigned feeds = 0;  ///< how often the firmware fed the watchdog
  /// DRAM, zeroed at first, as the submitter sees it. The core sees it at board::dram_base(). It is not coherent if the variable
  /// COX_CACHE_SEED is set (docs/hal.md, Memory that is not coherent).
  [[nodiscard]] std::span<std::byte> dram() { return cache_ ? cache_->memory() : core_dram(); }
  [[nodiscard]] std::span<std::byte> core_dram() { return std::as_writable_bytes(std::span(dram_)); }

 private:
  struct Queue {
    std::uint64_t base = 0;
    std::uint32_t control = 0, tail = 0, head = 0;
    bool busy = false;
    std::uint64_t end = 0;
    std::uint32_t finished = 0;
    [[nodiscard]] std::uint32_t size() const { return 1U << (control >> 4 & 15); }
  };
  [[nodiscard]] const isa::tile::MachineCode &head_of(const Queue &queue) const;
  void start_what_can();
  void finish(unsigned index);
  [[nodiscard]] bool completion_line() const;
  void complete(unsigned index, const isa::tile::MachineCode &code, hal::FaultCode status) {
    complete(index, isa::tile::context_of(code), status);
  }
  void complete(unsigned index, unsigned context, hal::FaultCode status);
  void run_handlers();
  void take_tick();
  [[nodiscard]] bool in_flight(unsigned context) const;

  struct alignas(64) Line {
    std::byte bytes[64];
  };
  struct alignas(board::CoreCache::kPage) Page {
    std::byte bytes[board::CoreCache::kPage];
  };
  unsigned cores_;
  std::vector<Page> dram_ = std::vector<Page>(256);
  std::optional<board::CoreCache> cache_;
  std::vector<Line> memory_ = std::vector<Line>(8192);
  std::array<Queue, isa::tile::kMostLanes> queues_{};
  std::array<Queue, kMostCores> completions_{};
  std::array<bool, 16> quarantined_{};
  std::array<bool, 16> valid_{};
  std::uint64_t reset_at_ = kNever;
  unsigned core_to_reset_ = 0;
  bool fault_pending_ = false;
  std::uint64_t next_tick_ = kTick;  ///< time at which the tick becomes pending; it stays pending while interrupts are masked
};

}  // namespace cox::tests
