// SPDX-License-Identifier: MIT
// Semihosting (Arm "Semihosting for AArch32 and AArch64", release 2.0): calls that QEMU or a debugger answers. A board has them if its
// board.h defines BOARD_SEMIHOSTING as 1.
#pragma once

#include <cstdint>

#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/exception_frame.h"

namespace cox::board::semihosting {

enum class Operation : std::uint32_t {
  open = 0x01,
  close = 0x02,
  write = 0x05,
  read = 0x06,
  seek = 0x0a,
  file_length = 0x0c,
  error_number = 0x13,
  command_line = 0x15,
  exit_extended = 0x20,
};

#if BOARD_SEMIHOSTING

/// Returns true if a host answers semihosting calls; false before detect().
bool available();

/// Makes one call at start-up to find out whether a host answers. Without a host the call is a HardFault, from which
/// recover_from_probe() recovers.
void detect();

/// Called by the HardFault handler with the stacked registers. Returns true if the call of detect() caused the fault; execution then
/// continues after that call.
bool recover_from_probe(ExceptionFrame &frame);

/// Makes one call and returns its answer; `parameters` is the operation's parameter block. Requires available().
std::int32_t call(Operation operation, const void *parameters);

/// Ends the simulation with this exit status. Returns if no host answers.
void exit(int status);

#else

// Without semihosting, the image has no breakpoint instruction, and no host answers.
constexpr bool available() { return false; }
inline void detect() {}
constexpr bool recover_from_probe(ExceptionFrame & /*frame*/) { return false; }
inline std::int32_t call(Operation /*operation*/, const void * /*parameters*/) { return -1; }
inline void exit(int /*status*/) {}

#endif

}  // namespace cox::board::semihosting
