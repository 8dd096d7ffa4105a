// SPDX-License-Identifier: MIT
// PendSV_Handler: saves the interrupted thread's registers on its stack, gives its stack pointer to threads_next(), and restores the
// registers on the stack that threads_next() returns. The core itself saves r0 to r3, r12, lr, pc, xPSR and, if the thread uses floating
// point or MVE, s0 to s15, FPSCR and VPR.
//
// Registers:
//   r0   stack pointer of the thread, first the old one, then the new one
//   r3   EXC_RETURN of the interrupted thread
//   lr   EXC_RETURN. Bit 4 is 0 if the frame has floating-point state. 0 in a new context: that of the interrupted thread, without such state
  .syntax unified
  .thumb

  .section .text.PendSV_Handler, "ax", %progbits
  .global PendSV_Handler
  .type PendSV_Handler, %function
PendSV_Handler:
  mrs r0, psp
  mov r3, lr
  tst lr, #0x10
  it eq
  vstmdbeq r0!, {s16-s31}
  stmdb r0!, {r4-r11, lr}
  push {r3, lr}
  bl threads_next
  pop {r3, lr}
  ldmia r0!, {r4-r11, lr}
  cmp lr, #0
  it eq
  orreq lr, r3, #0x10
  tst lr, #0x10
  it eq
  vldmiaeq r0!, {s16-s31}
  msr psp, r0
  bx lr
  .size PendSV_Handler, . - PendSV_Handler
