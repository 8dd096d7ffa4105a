// SPDX-License-Identifier: MIT
// The differences between the boards on which jobs run: the address of DRAM, the accelerator, and the name of the machine under QEMU.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace cox::tools::run {

/// What `cox run` knows of a board. DRAM addresses are those that the firmware and the accelerator use (docs/design.md, Memory map;
/// docs/porting.md).
struct BoardMap {
  const char *name;     ///< the board's folder below boards/, and the build folder of its firmware
  const char *machine;  ///< name of QEMU's machine
  std::uint64_t dram_base;
  std::uint64_t dram_default_bytes;
  std::uint64_t dram_largest_bytes;
  const char *model_options;  ///< a JSON object: the options in which the board's accelerator differs from the default (docs/model.md)
};

/// Returns the maps of all boards with a machine in QEMU. The build generates them from boards/qemu-*/board.h.
[[nodiscard]] std::span<const BoardMap *const> board_maps();

/// The default board. The native board has the same map.
inline constexpr std::string_view kDefaultBoard = "qemu-npu-soc";

/// Returns the map of a board, or null if no board has this name.
[[nodiscard]] const BoardMap *board_map(std::string_view name);

}  // namespace cox::tools::run
