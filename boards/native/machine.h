// SPDX-License-Identifier: MIT
// The state behind NativeBoard and behind the functions of hal/board.h, which native_board.cpp and board.cpp share.
#pragma once

#include <array>
#include <deque>
#include <optional>

#include "boards/native/core_cache.h"
#include "boards/native/fixed_memory.h"
#include "boards/native/host_mailbox.h"
#include "boards/native/native_board.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/native_bus.h"

namespace cox::board {

struct NativeBoard::Machine final : hal::native::Bus {
  explicit Machine(NativeBoardSettings wanted);
  ~Machine();
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  [[nodiscard]] bool power_on(std::string &error);
  /// Destroys the model, which then writes its logs, and disconnects the bus.
  void power_off();

  // hal::native::Bus
  std::uint32_t read(std::uintptr_t address) override;
  void write(std::uintptr_t address, std::uint32_t value) override;
  void barrier() override;
  void maintain_cache(hal::native::CacheOperation operation, std::uintptr_t address, std::size_t bytes) override;

  /// Brings the model to `cycle`, event by event. After each event the pending handlers run, if interrupts are not masked.
  void advance_to(std::uint64_t cycle);
  /// Lets time pass until a line with a handler is high or the tick is pending. Handlers do not run; on return interrupts are masked.
  void sleep();
  /// The body of board::wait_for_interrupt().
  void wait();
  void restore_interrupts(bool masked);
  void reset(ResetCause cause);
  void feed_watchdog() { watchdog_deadline = watchdog_us == 0 ? UINT64_MAX : now + std::uint64_t{watchdog_us} * 1000; }
  /// The device's accesses to memory. The first returns nullptr, and the others return false, if the device cannot access the range so.
  [[nodiscard]] std::byte *map_for_device(std::uint64_t address, std::uint64_t size) const;
  [[nodiscard]] bool read_by_device(std::uint64_t address, void *data, std::uint64_t size);
  [[nodiscard]] bool write_by_device(std::uint64_t address, const void *data, std::uint64_t size);

  /// cox_bus_address() and cox_core_address(), for addresses in and outside of these memories.
  [[nodiscard]] std::uint64_t bus_address(std::uint64_t core_address) const;
  [[nodiscard]] std::uint64_t core_address(std::uint64_t bus_address) const;

  NativeBoardSettings settings;
  std::uint64_t sram_offset = 0, dram_offset = 0;  ///< from the core's address to the bus address
  FixedMemory sram;
  FixedMemory dram;                ///< with `cache`: what the core sees of DRAM
  std::optional<CoreCache> cache;  ///< if DRAM is not coherent
  cox_model *model = nullptr;
  std::uint64_t now = 0;
  std::uint64_t next_tick = kTickCycles;  ///< the tick is pending from this cycle until interrupts are unmasked
  std::deque<char> typed;

  static constexpr unsigned kDmaLine = 2;
  static constexpr unsigned kModelLines = 3;  ///< interrupt lines of the model: 0 for completion queues, 1 for faults, 2 for the DMA engine
  static constexpr unsigned kMailboxLine = kModelLines;
  static constexpr unsigned kLines = kModelLines + 1;
  InterruptHandler handlers[kLines] = {};
  bool levels[kModelLines] = {};
  HostMailbox mailbox;
  bool masked = false;

  alignas(8) std::array<std::byte, kRetainedBytes> retained{};
  ResetCause cause = ResetCause::power_on;
  std::uint32_t watchdog_us = 0;  ///< the watchdog's time limit; 0: the watchdog is not started
  std::uint64_t watchdog_deadline = UINT64_MAX;

 private:
  [[nodiscard]] bool is_pending(unsigned line) const;
  [[nodiscard]] bool is_pending() const;
  void sleep_until_tick();
  bool write_mailbox(std::uintptr_t address, std::uint32_t value);
  void run_pending_handlers();
  void run_events_of_now();
  void look_at_watchdog();
  void bus_fault(const BusFault &fault);
  /// Offset by which the model knows a register's address. Nothing: neither the accelerator nor the DMA engine is there.
  [[nodiscard]] std::optional<std::uint32_t> model_offset(std::uintptr_t address) const;
  /// Counts handler runs and events. Ends the process if they repeat forever while no time passes; hardware would hang then.
  void count_step();
  void let_pulse_end();

  bool in_handler_ = false;
  std::uint64_t steps_at_ = 0;
  unsigned steps_ = 0;
  unsigned restless_ = 0;  ///< number of consecutive handler runs or sleeps after which a line was still high
};

/// Prints a sentence and aborts the process, as a control core's fault handler would.
[[noreturn]] void halt(const char *sentence);

/// Returns the process's board, or nullptr.
NativeBoard::Machine *machine_if_any();
/// Returns the process's board. If the process has no board, ends it with a message.
NativeBoard::Machine &current_machine();

}  // namespace cox::board
