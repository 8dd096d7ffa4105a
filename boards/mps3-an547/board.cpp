// SPDX-License-Identifier: MIT
// Hooks of the board mps3-an547 (docs/mps3-an547.md).
#include <cstdint>

#include "boards/cortex-m55/bus_probe.h"
#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/hooks.h"

extern "C" {

/// The accelerator is optional: QEMU's own mps3-an547 and Arm's FPGA image do not have it, and reading its identity is a bus fault there.
int board_accelerator_present() {
  std::uint32_t identity = 0;
  return cox::board::bus_probe::read(BOARD_NPU_BASE, &identity) && identity != 0 ? 1 : 0;
}

/// The watchdog raises this exception when its first period ends. The firmware then still has the second period to feed it; without that,
/// the watchdog resets the SoC.
void NMI_Handler() {}

}  // extern "C"
