// SPDX-License-Identifier: MIT
// Entries of faults. They are in assembly because the report needs registers that compiled code would overwrite, and because the main
// stack may be broken. fault.cpp has the report.
#include "boards/cortex-m55/entry.h"

  .syntax unified
  .thumb

// Fault_Handler: handles every exception that has no handler of its own. On the fault stack, it saves the registers that the exception
// entry did not save. Then it calls report_fault(frame, exception_return, saved), which does not return.
//
// Registers:
//   r0   frame: what the exception entry pushed on the main or the process stack
//   r1   exception_return: EXC_RETURN, which the core leaves in lr
//   r2   scratch, then saved: r4 to r11 on the fault stack
  .section .text.Fault_Handler, "ax", %progbits
  .global Fault_Handler
  .type Fault_Handler, %function
Fault_Handler:
  cpsid i
  mov r1, lr
  tst lr, #ENTRY_EXC_RETURN_PROCESS_STACK
  ite eq
  mrseq r0, msp
  mrsne r0, psp
#if defined(__ARM_FEATURE_CMSE) && __ARM_FEATURE_CMSE == 3
  // A secure image also gets faults of the non-secure one, whose frame is on a non-secure stack.
  tst lr, #ENTRY_EXC_RETURN_SECURE_STACK
  bne 1f
  mrs r0, msp_ns
  mrs r2, control_ns
  tst lr, #ENTRY_EXC_RETURN_THREAD
  it ne
  tstne r2, #ENTRY_CONTROL_PROCESS_STACK
  it ne
  mrsne r0, psp_ns
1:
#endif

  // The limit of the broken stack must not apply to the fault stack.
  mov r2, #0
  msr msplim, r2
  ldr r2, =linker_fault_stack_top
  msr msp, r2

  push {r4-r11}
  mov r2, sp
  b report_fault
  .ltorg
  .size Fault_Handler, . - Fault_Handler

// HardFault_Handler: returns only if the fault came from semihosting::detect() or bus_probe::read(), in which case the main stack is intact.
// Every other fault goes to Fault_Handler, as does a main stack without room for recover_hard_fault().
//
// Registers:
//   r0   the frame on the main stack, then the answer of recover_hard_fault()
//   r1   scratch
//   lr   EXC_RETURN, kept on the stack during the call beside r0, which keeps the stack aligned to 8 bytes
  .section .text.HardFault_Handler, "ax", %progbits
  .weak HardFault_Handler
  .type HardFault_Handler, %function
HardFault_Handler:
  mrs r0, msp
  ldr r1, =linker_stack_limit + ENTRY_PROBE_STACK
  cmp r0, r1
  blo Fault_Handler

  push {r0, lr}
  bl recover_hard_fault
  pop {r1, lr}
  cmp r0, #0
  beq Fault_Handler
  bx lr
  .ltorg
  .size HardFault_Handler, . - HardFault_Handler
