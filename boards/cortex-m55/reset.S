// SPDX-License-Identifier: MIT
// Reset_Handler: sets the stack limit, enables the FPU and MVE, and goes on in start(), startup.cpp. Compiled code could use the stack
// before it has a limit, and vector registers before they are enabled.
//
// Registers:
//   r0   limit of the main stack, then the address of CPACR
//   r1   CPACR
#include "boards/cortex-m55/entry.h"

  .syntax unified
  .thumb

  .section .text.Reset_Handler, "ax", %progbits
  .global Reset_Handler
  .type Reset_Handler, %function
Reset_Handler:
  ldr r0, =linker_stack_limit
  msr msplim, r0

  ldr r0, =ENTRY_CPACR
  ldr r1, [r0]
  orr r1, r1, #ENTRY_CPACR_FPU_AND_MVE
  str r1, [r0]
  dsb
  isb

  b start
  .ltorg
  .size Reset_Handler, . - Reset_Handler
