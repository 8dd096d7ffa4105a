// SPDX-License-Identifier: MIT
#include "boards/cortex-m55/memory_protection.h"

#include <array>
#include <cstdint>
#include <iterator>
#include <span>

#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/layout.h"
#include "coxswain/hal/board.h"
#if __has_include("security_map.h")
#include "security_map.h"  // of a board that is divided between the security states
#endif

namespace cox::board {
namespace {

enum Attribute : std::uint8_t { cached = 0, uncached = 1, device = 2 };

/// MAIR encodings (Arm v8-M ARM, MPU_MAIR0), by Attribute.
constexpr std::array<std::uint8_t, 3> kMemoryAttributes = {
    0xff,  // normal, write-back, read and write allocate
    0x44,  // normal, not cached
    0x04,  // device, nGnRE
};

enum Access : std::uint8_t { read_execute, read_write };

struct Region {
  std::uint32_t base;
  std::uint32_t size;
  Attribute attribute;
  Access access;
};

/// Sets the regions of the MPU. They must not overlap (Arm v8-M). The stack guard is a gap between two of them.
void set_regions(std::span<const Region> regions) {
  std::uint32_t index = 0;
  for (const Region &region : regions) {
    const bool execute = region.access == read_execute;
    ARM_MPU_SetRegion(index, ARM_MPU_RBAR(region.base, ARM_MPU_SH_NON, execute ? 1U : 0U, 0U, execute ? 0U : 1U),
                      ARM_MPU_RLAR(region.base + region.size - 1U, region.attribute));
    ++index;
  }
}

}  // namespace

#define COX_PERIPHERAL(base, size) Region{base, size, device, read_write},

bool memory_protection::start() {
  const std::uint32_t stack_limit = address_of(linker_stack_limit);
  const std::uint32_t queues = address_of(linker_retained_start);
  const std::array regions = {
    Region{BOARD_CODE_BASE, BOARD_CODE_SIZE, cached, read_execute},
    Region{BOARD_SRAM_BASE, BOARD_FAULT_STACK_SIZE, cached, read_write},
    Region{stack_limit, queues - stack_limit, cached, read_write},
    Region{queues, BOARD_QUEUES_SIZE, uncached, read_write},
    Region{BOARD_UART_BASE, BOARD_UART_SIZE, device, read_write},
#ifdef BOARD_PROBE_BASE
    Region{BOARD_PROBE_BASE, BOARD_PROBE_SIZE, device, read_write},
#endif
#ifdef BOARD_WATCHDOG_BASE
    Region{BOARD_WATCHDOG_BASE, BOARD_WATCHDOG_SIZE, device, read_write},
#endif
#ifdef BOARD_MAILBOX_BASE
    Region{BOARD_MAILBOX_BASE, BOARD_MAILBOX_SIZE, device, read_write},
#endif
#ifdef BOARD_DMA_BASE
    Region{BOARD_DMA_BASE, BOARD_DMA_SIZE, device, read_write},
#endif
    Region{BOARD_NPU_BASE, BOARD_NPU_SIZE, device, read_write},
    Region{BOARD_L2_BASE, BOARD_L2_STRIDE * BOARD_L2_CORES_MAX, uncached, read_write},
    BOARD_PERIPHERAL_REGIONS(COX_PERIPHERAL)  // other devices of the board (board.json, peripherals)
    Region{BOARD_DRAM_BASE, static_cast<std::uint32_t>(dram_size()), cached, read_write},
#if SECURITY_PART_SECURE
    Region{SECURITY_NONSECURE_CODE_BASE, SECURITY_NONSECURE_CODE_SIZE, cached, read_execute},
    Region{SECURITY_NONSECURE_SRAM_BASE, SECURITY_NONSECURE_SRAM_SIZE, uncached, read_write},
#if SECURITY_SPLIT_DRAM
    Region{SECURITY_NONSECURE_DRAM_BASE, SECURITY_NONSECURE_DRAM_SIZE, cached, read_write},
#endif
#endif
  };
  if ((MPU->TYPE & MPU_TYPE_DREGION_Msk) >> MPU_TYPE_DREGION_Pos < regions.size()) return false;

  ARM_MPU_Disable();
  for (std::uint8_t index = 0; index < kMemoryAttributes.size(); ++index) ARM_MPU_SetMemAttr(index, kMemoryAttributes[index]);
  set_regions(regions);
  // PRIVDEFENA stays 0, so an address outside every region faults.
  ARM_MPU_Enable(0);
  return true;
}

}  // namespace cox::board
