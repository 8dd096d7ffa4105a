// SPDX-License-Identifier: MIT
// The differences between the boards on which jobs run: the address of DRAM, and the name of the machine under QEMU.
#pragma once

#include <cstdint>

namespace cox::tools::run {

/// DRAM as the firmware and the accelerator see it (docs/design.md, Memory map; docs/porting.md).
struct BoardMap {
  const char *name;     ///< name for `cox run --board`
  const char *machine;  ///< name of QEMU's machine
  const char *preset;   ///< preset that builds its firmware
  std::uint64_t dram_base;
  std::uint64_t dram_default_bytes;
  std::uint64_t dram_largest_bytes;
};

/// The second board. It has a file of its own, since all boards' board.h define the same macros.
extern const BoardMap kNpuCompact;

}  // namespace cox::tools::run
