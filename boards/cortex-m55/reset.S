// SPDX-License-Identifier: MIT
// Reset_Handler: sets up the main stack and goes on in SystemInit(), board_early_init() and start(), which does not return (docs/startup.md).
// Compiled code could use the stack before it has a limit. A boot loader or a debugger may have left another stack, and masked nothing.
//
// Registers:
//   r0   top of the main stack, then its limit; both limits are 0 in between, because the old ones belong to the old stack
//   r1   0
  .syntax unified
  .thumb

  .section .text.Reset_Handler, "ax", %progbits
  .weak Reset_Handler
  .type Reset_Handler, %function
Reset_Handler:
  cpsid i
  movs r1, #0
  msr control, r1
  isb
  msr msplim, r1
  ldr r0, =linker_stack_top
  msr msp, r0
  ldr r0, =linker_stack_limit
  msr msplim, r0

  bl SystemInit
  bl board_early_init
  cpsie i
  b start
  .ltorg
  .size Reset_Handler, . - Reset_Handler
