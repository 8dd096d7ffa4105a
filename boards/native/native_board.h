// SPDX-License-Identifier: MIT
// The board as part of the host process that runs the firmware. Its memory is at the same addresses as on qemu-npu-soc, the
// accelerator's model is behind the register bus, and the model's events drive its clock. The firmware uses it through hal/board.h.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "boards/native/host_mailbox.h"
#include "boards/qemu-npu-soc/board_map.h"
#include "coxswain/hal/board.h"
#include "sim/model/cox_model.h"

namespace cox::board {

/// An access that no register answers. A control core would take a bus fault.
struct BusFault {
  std::uint64_t address;
  bool write;
  std::uint32_t value;  ///< the value that was written; unused for a read
};

struct NativeBoardSettings {
  std::string model_options;                         ///< the text of a JSON object (docs/model.md, Options); empty: the defaults
  std::size_t dram_bytes = BOARD_DRAM_SIZE_DEFAULT;  ///< size of DRAM: 16 MiB to 1 GiB, a multiple of 1 MiB
  bool has_dma = true;                               ///< false: dma_registers() returns 0
  std::function<void(std::string_view)> console;     ///< takes the firmware's output; empty: standard output
  std::function<void(int level, std::string_view)>
      log;  ///< takes a line of the model's log with its level, a cox_log_level; empty: standard error
  /// If there is a seed, DRAM is not coherent (docs/hal.md, Memory that is not coherent). Without one, the environment variable
  /// COX_CACHE_SEED gives it.
  std::optional<std::uint64_t> cache_seed = {};
  /// If it is given, the device sees SRAM `bus_offset` bytes above the core's address, and DRAM twice as many, as on boards where core and
  /// bus have different addresses (docs/hal.md, Addresses). Without it, the environment variable COX_BUS_OFFSET gives it.
  std::optional<std::uint64_t> bus_offset = {};
  /// For tests: called at a bus fault instead of ending the process. The firmware then continues after the access; a read returns 0.
  std::function<void(const BusFault &)> bus_fault;
  /// Called instead of ending the process if the firmware did not feed the watchdog in time.
  std::function<void()> watchdog;
  /// Real time that passes until a tick if the core sleeps and the device does nothing until the tick after that. Other threads may ring
  /// the mailbox meanwhile, and use dram() at any time. 0: the time leaps to the tick.
  std::chrono::microseconds idle_tick{0};
  /// For tests: called when such a tick comes.
  std::function<void()> on_idle_tick = {};
  /// For operating systems: called whenever the firmware unmasks interrupts, after their handlers. It may continue in another thread of the
  /// firmware, as an operating system that preempts threads does.
  std::function<void()> on_unmask = {};
};

/// A board in this process. A process can have only one at a time, because the board's memory is at fixed addresses.
///
/// Time is device time, in cycles of 1 ns. It passes only in wait_for_interrupt(), wait_for_completion() and advance(); firmware code takes
/// no time. The waiting functions go from event to event of the model until an interrupt line is high or a tick is pending. A tick comes
/// every kTickCycles of device time and stays pending until interrupts are unmasked, so time limits work even if the device does nothing.
/// Code that polls board::microseconds() without waiting never ends; on hardware such code would keep the core awake.
class NativeBoard {
 public:
  static constexpr std::uint64_t kTickCycles = 1'000'000;

  /// Returns nullptr with a sentence in `error` if a setting is out of range, a board exists already, memory cannot be mapped, or the
  /// model refuses its options.
  static std::unique_ptr<NativeBoard> create(NativeBoardSettings settings, std::string &error);
  /// Switches the board off; the model then writes its logs.
  ~NativeBoard();
  NativeBoard(const NativeBoard &) = delete;
  NativeBoard &operator=(const NativeBoard &) = delete;

  /// Device time in cycles since power-on.
  [[nodiscard]] std::uint64_t now() const;
  /// Lets `cycles` pass, as if the firmware slept or computed for that long. Interrupt handlers run if interrupts are not masked.
  void advance(std::uint64_t cycles);
  /// Types text on the console.
  void type(std::string_view text);

  /// Resets the core: memories, time and the accelerator stay as they are; interrupt handlers are removed. The caller then boots the
  /// firmware again.
  void reset(ResetCause cause);

  /// DRAM as the host and the device see it, zeroed at creation.
  [[nodiscard]] std::span<std::byte> dram() const;
  /// DRAM as the control core sees it, at its addresses. It is the same memory as dram(), unless DRAM is not coherent.
  [[nodiscard]] std::span<std::byte> core_dram() const;
  /// Returns the bus address of a byte in dram().
  [[nodiscard]] std::uint64_t address_of(const std::byte *byte) const {
    return dram_address() + static_cast<std::uint64_t>(byte - dram().data());
  }
  /// Returns the bus address of DRAM.
  [[nodiscard]] std::uint64_t dram_address() const;
  /// Returns the bus address of DRAM on a board that the environment alone describes.
  [[nodiscard]] static std::uint64_t default_dram_address();
  /// Returns the model, for tests that need state which the registers do not show.
  [[nodiscard]] cox_model *model() const;
  /// Returns the mailbox, whose host side is for other threads.
  [[nodiscard]] HostMailbox &mailbox() const;

  struct Machine;

 private:
  explicit NativeBoard(std::unique_ptr<Machine> machine);
  std::unique_ptr<Machine> machine_;
};

}  // namespace cox::board
