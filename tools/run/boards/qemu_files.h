// SPDX-License-Identifier: MIT
// Finds the files of a board under QEMU, which lie beside the running executable, in an installation (docs/install.md) or in a build tree.
#pragma once

#include <string>
#include <string_view>

#include "tools/run/boards/board_map.h"

namespace cox::tools::run {

/// One of the files that a board needs.
struct SoughtFile {
  std::string what;  ///< for messages, such as `the accelerator model`
  std::string path;  ///< the only place where the file was looked for, or empty
  bool found = false;
  std::string mend;  ///< how to get the file: a sentence without its full stop
};

/// The files of a machine under QEMU, present or not.
struct SoughtFiles {
  SoughtFile qemu;      ///< qemu-system-arm with the board's machine
  SoughtFile model;     ///< libcox_model.so
  SoughtFile firmware;  ///< coxswain.elf
};

/// Looks for the files of a board. Each is the file that its variable COX_QEMU, COX_MODEL or COX_FIRMWARE names. If the variable is not
/// set, the place follows from the folder of the running executable:
/// - BUILD/host/bin in a build tree: BUILD/qemu/bin/qemu-system-arm, BUILD/host/lib/libcox_model.so and BUILD/BOARD/bin/`image`;
/// - PREFIX/bin elsewhere: qemu-system-arm, libcox_model.so and boards/BOARD/`image` in the folder PREFIX/lib/coxswain.
/// The firmware of a board that does not belong to this tree is in none of these places; its user names it. `given`, if it is not empty,
/// is the firmware instead.
[[nodiscard]] SoughtFiles look_for_files(const BoardMap &map, std::string_view image = "coxswain.elf", const std::string &given = {});

/// Returns PREFIX/lib/coxswain of the running executable PREFIX/bin/cox; an empty text in a build tree.
[[nodiscard]] std::string installation_folder();

}  // namespace cox::tools::run
