/* SPDX-License-Identifier: MIT */
/* Enables the caches of a core whose registers are in memory, because QEMU's core has no caches. */
#include <stdbool.h>
#include <stdint.h>

static uint32_t registers[0x280 / 4];
#define SCB_BASE ((uintptr_t)registers)
#define __ICACHE_PRESENT 1U
#define __DCACHE_PRESENT 1U
#include "core_cm55.h"

enum { UNTOUCHED = 0x5555, CCSIDR = 0x80 / 4, CCSIDR_OF_32_KIB = 255 << 13 | 3 << 3 | 1 };

bool caches_are_invalidated_and_enabled(void);
bool enabled_caches_are_left_alone(void);

bool caches_are_invalidated_and_enabled(void) {
  SCB->CCR = SCB_CCR_DIV_0_TRP_Msk;
  SCB->CSSELR = UNTOUCHED;
  SCB->ICIALLU = UNTOUCHED;
  SCB->DCISW = UNTOUCHED;
  registers[CCSIDR] = CCSIDR_OF_32_KIB;
  SCB_EnableICache();
  const bool instruction =
      SCB->CCR == (SCB_CCR_DIV_0_TRP_Msk | SCB_CCR_IC_Msk) && registers[0x250 / 4] == 0 && registers[0x260 / 4] == UNTOUCHED;
  SCB_EnableDCache();
  /* The last line is way 0 of set 0. */
  return instruction && SCB->CCR == (SCB_CCR_DIV_0_TRP_Msk | SCB_CCR_IC_Msk | SCB_CCR_DC_Msk) && SCB->CSSELR == 0 &&
         registers[0x260 / 4] == 0;
}

bool enabled_caches_are_left_alone(void) {
  SCB->CCR = SCB_CCR_IC_Msk | SCB_CCR_DC_Msk;
  SCB->ICIALLU = UNTOUCHED;
  SCB->DCISW = UNTOUCHED;
  SCB_EnableICache();
  SCB_EnableDCache();
  return registers[0x250 / 4] == UNTOUCHED && registers[0x260 / 4] == UNTOUCHED;
}
