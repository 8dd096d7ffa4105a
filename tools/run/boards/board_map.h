// SPDX-License-Identifier: MIT
// The differences between the boards on which jobs run: the address of DRAM, the accelerator, and the name of the machine under QEMU.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cox::tools::run {

/// What `cox run` knows of a board, from its board.json (docs/porting.md). DRAM addresses are those of the bus (docs/hal.md,
/// Addresses).
struct BoardMap {
  std::string name;     ///< the board's folder, and for a board of this tree also the build folder of its firmware
  std::string machine;  ///< name of QEMU's machine, or empty
  std::string file;     ///< path of board.json; empty for a board of this tree
  std::uint64_t dram_base = 0;
  std::uint64_t dram_default_bytes = 0;
  std::uint64_t dram_largest_bytes = 0;
  std::string model_options;  ///< a JSON object: the options in which the board's accelerator differs from the default (docs/model.md)
};

/// The text of a board.json that is compiled in.
struct BoardText {
  const char *name;
  const char *text;
};
/// Returns the board.json of each board boards/qemu-*. The build generates them (toolchain/cmake/CoxBoards.cmake).
[[nodiscard]] std::span<const BoardText> board_texts();

/// Machine of QEMU that reads the board.json of any board.
inline constexpr std::string_view kAnyBoardMachine = "npu-board";

/// Returns the maps of the boards boards/qemu-*.
[[nodiscard]] std::span<const BoardMap *const> board_maps();

/// The default board. The native board has the same map.
inline constexpr std::string_view kDefaultBoard = "qemu-npu-soc";

/// Returns the map of one of these boards, or null if none has this name.
[[nodiscard]] const BoardMap *board_map(std::string_view name);

/// Reads a board.json. `file` is its path, for messages. Throws FileError that names the field: for unknown and missing ones, numbers
/// beyond 32 bits, regions that overlap, and interrupts that the NVIC does not have. boards/generate_map.py checks more.
[[nodiscard]] BoardMap parse_board_map(std::string_view text, const std::string &file);

/// Returns the map of the board whose folder or board.json is at `path`. Throws FileError, also if there is no such file.
[[nodiscard]] const BoardMap &read_board_map(const std::string &path);

}  // namespace cox::tools::run
