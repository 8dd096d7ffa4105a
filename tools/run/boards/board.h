// SPDX-License-Identifier: MIT
// The boards on which jobs run: the firmware under QEMU, or the same firmware in this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "boards/qemu-npu-soc/board_map.h"
#include "tools/run/boards/board_map.h"

namespace cox::tools::run {

// The DRAM of kDefaultBoard, by its bus address.
inline constexpr std::uint64_t kDramBase = BOARD_DRAM_BUS_BASE;
inline constexpr std::uint64_t kDramDefaultBytes = BOARD_DRAM_SIZE_DEFAULT;
inline constexpr std::uint64_t kDramLargestBytes = BOARD_DRAM_SIZE_MAX;

/// Nanoseconds that an instruction of the control core takes under QEMU, unless BoardSettings says otherwise. The firmware computes its
/// awake time with this number (boards/devices/simulation_probe.cpp).
inline constexpr unsigned kInstructionNanoseconds = 2;

struct BoardSettings {
  const BoardMap *map = board_map(kDefaultBoard);
  std::string model_options = "{}";  ///< options of the accelerator model, as a JSON object (docs/model.md)
  std::uint64_t dram_bytes = kDramDefaultBytes;
  double host_seconds = 0;  ///< time limit of a boot in seconds of the host; 0: none. If it is exceeded, the board throws Failure
  /// Nanoseconds that an instruction of the control core takes: a power of two up to 32. Only for QEMU
  unsigned instruction_nanoseconds = kInstructionNanoseconds;
  bool verbose = false;                                 ///< prints the firmware's console on standard error at once
  std::function<void()> before_boot = {};               ///< native: called before each boot, for example to set a policy; may be empty
  std::function<void(std::string_view)> on_fault = {};  ///< called with each fault_line() of the model's log; may be empty
  std::function<void(std::uint32_t completed)> progress = {};  ///< called repeatedly while jobs run; may be empty
};

/// One boot of a board. If the machine itself fails (not a job), the functions throw a Failure that names the cause.
class Board {
 public:
  virtual ~Board() = default;
  /// Returns DRAM, which begins at the map's dram_base. It is zero when the board is created.
  [[nodiscard]] virtual std::span<std::byte> dram() = 0;
  /// Boots the firmware, which runs the jobs in DRAM and then exits.
  virtual void run() = 0;
  /// Returns the output of the firmware's console.
  [[nodiscard]] virtual std::string console() const = 0;
  /// Switches the machine off. The model then writes its logs. dram() may be invalid afterwards.
  virtual void power_off() = 0;
};

/// The files of a machine under QEMU.
struct QemuFiles {
  std::string qemu;      ///< qemu-system-arm with the board's machine
  std::string model;     ///< libcox_model.so
  std::string firmware;  ///< coxswain.elf
};

/// Finds the files of a board (qemu_files.h). Throws a Failure that names the first absent file and says how to get it, or that the board
/// has no machine in QEMU.
QemuFiles find_qemu_files(const BoardMap &map = *board_map(kDefaultBoard), const char *image = "coxswain.elf",
                          const std::string &given = {});

std::unique_ptr<Board> make_qemu_board(const BoardSettings &settings, const QemuFiles &files);
std::unique_ptr<Board> make_native_board(const BoardSettings &settings);
/// Returns the map of the native board: that of kDefaultBoard, but its DRAM may be elsewhere on the bus (NativeBoardSettings::bus_offset).
[[nodiscard]] const BoardMap &native_board_map();

}  // namespace cox::tools::run
