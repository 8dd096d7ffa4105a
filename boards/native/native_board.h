// SPDX-License-Identifier: MIT
// The board in one process with its firmware: memory at the same addresses as on qemu-npu-soc, the accelerator's model behind the
// register bus, and a clock that the model's events drive. hal/board.h is what the firmware sees of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "boards/qemu-npu-soc/board.h"
#include "hal/board.h"
#include "sim/model/cox_model.h"

namespace cox::board {

/// An access that no register answers, where a control core would take a bus fault.
struct BusFault {
  std::uint64_t address;
  bool write;
  std::uint32_t value;  ///< of a write
};

struct NativeBoardSettings {
  std::string model_options;                             ///< the text of a JSON object (docs/model.md, Options); empty: the defaults
  std::size_t dram_bytes = BOARD_DRAM_SIZE_DEFAULT;      ///< 16 MiB to 1 GiB, whole MiB
  std::function<void(std::string_view)> console;         ///< what the firmware writes; empty: standard output
  std::function<void(int level, std::string_view)> log;  ///< a line of the model's (cox_log_level); empty: standard error
  /// Called in place of ending the process; the access then goes on, a read with 0. For tests.
  std::function<void(const BusFault &)> bus_fault;
  /// Called instead of ending the process when the watchdog was not fed in time.
  std::function<void()> watchdog;
};

/// One at a time in a process, since its addresses are fixed.
///
/// Time is device time, in cycles of 1 ns, and passes only in wait_for_interrupt() and advance(): what the firmware does takes none.
/// wait_for_interrupt() goes from event to event of the model until an interrupt line is high or a tick is pending. One comes every
/// kTickCycles of device time and stays until interrupts are not masked, so that time limits work whatever the device does. Code that polls
/// board::microseconds() without waiting waits forever, and would on hardware keep the core from sleeping.
class NativeBoard {
 public:
  static constexpr std::uint64_t kTickCycles = 1'000'000;

  /// nullptr with a sentence in `error`: settings out of range, a board that exists already, memory that cannot be mapped, or options that
  /// the model refuses.
  static std::unique_ptr<NativeBoard> create(NativeBoardSettings settings, std::string &error);
  /// Switches off: the model writes its logs.
  ~NativeBoard();
  NativeBoard(const NativeBoard &) = delete;
  NativeBoard &operator=(const NativeBoard &) = delete;

  /// Device time in cycles since power-on.
  [[nodiscard]] std::uint64_t now() const;
  /// Lets `cycles` pass, as if the firmware slept for that long or computed something; interrupt handlers run where they are not masked.
  void advance(std::uint64_t cycles);
  /// Types text on the console.
  void type(std::string_view text);

  /// What a reset of the core leaves: memories and time, the accelerator as it is, and no handler. The caller then boots the firmware anew.
  void reset(ResetCause cause);

  /// The memory at dram_base(), zeroed at creation.
  [[nodiscard]] std::span<std::byte> dram() const;
  /// For what the registers do not show.
  [[nodiscard]] cox_model *model() const;

  struct Machine;

 private:
  explicit NativeBoard(std::unique_ptr<Machine> machine);
  std::unique_ptr<Machine> machine_;
};

}  // namespace cox::board
