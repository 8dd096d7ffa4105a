// SPDX-License-Identifier: MIT
// The system functions of CMSIS-Core. They are weak, so those of a vendor's system_DEVICE.c take their place. The build lets this file use
// no registers of FPU and MVE, because SystemInit() runs before it has enabled them.
#include <cstdint>

#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/layout.h"

extern "C" {

[[gnu::weak]] std::uint32_t SystemCoreClock = BOARD_CORE_CLOCK;

[[gnu::weak]] void SystemInit() {
  constexpr std::uint32_t kFullAccess = 0x00f00000;  // coprocessors 10 and 11: FPU and MVE
  // The table may be elsewhere than the one that the core or a boot loader has started with.
  SCB->VTOR = cox::board::address_of(linker_vectors);
  SCB->CPACR |= kFullAccess;
  __DSB();
  __ISB();
}

[[gnu::weak]] void SystemCoreClockUpdate() { SystemCoreClock = BOARD_CORE_CLOCK; }

}  // extern "C"
