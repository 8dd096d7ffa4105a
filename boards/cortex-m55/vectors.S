// SPDX-License-Identifier: MIT
// The vector table, and defaults for the handlers that nothing else defines. A program replaces each handler by a function of its name:
// NAME_IRQHandler for the interrupts of devices in board.json, InterruptN_Handler for the others, and CMSIS's names for exceptions.
// Handlers of named interrupts get their default from the linker's layout, because drivers define them weakly too.
#include "board_map.h"

  .syntax unified
  .thumb

// The place of the accelerator, for the HAL (hal/soc.h). 0xE000E280 is NVIC_ICPR0.
  .global cox_npu
  .set cox_npu, BOARD_NPU_BASE
  .global cox_npu_completion_register
  .set cox_npu_completion_register, 0xE000E280 + 4 * (BOARD_NPU_COMPLETION_IRQ / 32)
  .global cox_npu_completion_bit
  .set cox_npu_completion_bit, 1 << (BOARD_NPU_COMPLETION_IRQ % 32)

// Default_Handler: reports the exception as a fault. No registers: Fault_Handler needs them all.
  .section .text.Default_Handler, "ax", %progbits
  .weak Default_Handler
  .type Default_Handler, %function
Default_Handler:
  b.w Fault_Handler
  .size Default_Handler, . - Default_Handler

  .macro default_for name
  .weak \name
  .thumb_set \name, Default_Handler
  .endm

  .macro exception name
  default_for \name
  .word \name
  .endm

#define ROW(NAME, NUMBER) .if NUMBER == \number; .word NAME##_IRQHandler; .set named, 1; .endif;
  .macro interrupt number
  .set named, 0
  BOARD_INTERRUPT_ROWS(ROW)
  .if named == 0
  exception Interrupt\number\()_Handler
  .endif
  .endm

  .section .vectors, "a", %progbits
  // VTOR needs the size of the table, rounded up to a power of two.
#if BOARD_INTERRUPTS <= 16
  .balign 128
#elif BOARD_INTERRUPTS <= 48
  .balign 256
#elif BOARD_INTERRUPTS <= 112
  .balign 512
#elif BOARD_INTERRUPTS <= 240
  .balign 1024
#else
  .balign 2048
#endif
  .global __Vectors
  .global __VECTOR_TABLE
  .type __Vectors, %object
  .type __VECTOR_TABLE, %object
__Vectors:
__VECTOR_TABLE:
  .word linker_stack_top
  .word Reset_Handler
  exception NMI_Handler
  .word HardFault_Handler
  exception MemManage_Handler
  exception BusFault_Handler
  exception UsageFault_Handler
  exception SecureFault_Handler
  .word 0, 0, 0
  exception SVC_Handler
  exception DebugMon_Handler
  .word 0
  exception PendSV_Handler
  .word SysTick_Handler

  .altmacro
  .set next, 0
  .rept BOARD_INTERRUPTS
  interrupt %next
  .set next, next + 1
  .endr
  .noaltmacro
  .size __Vectors, . - __Vectors
  .size __VECTOR_TABLE, . - __VECTOR_TABLE
