// SPDX-License-Identifier: MIT
// What is different between the boards on which jobs run: where DRAM is, and what the machine under QEMU is called.
#pragma once

#include <cstdint>

namespace cox::tools::run {

/// DRAM as the firmware and the accelerator see it (docs/design.md, Memory map; docs/porting.md).
struct BoardMap {
  const char *name;     ///< of `cox run --board`
  const char *machine;  ///< of QEMU
  const char *preset;   ///< of the build of its firmware
  std::uint64_t dram_base;
  std::uint64_t dram_default_bytes;
  std::uint64_t dram_largest_bytes;
};

/// The second board. It has a file of its own, since all boards' board.h define the same macros.
extern const BoardMap kNpuCompact;

}  // namespace cox::tools::run
