/* SPDX-License-Identifier: MIT */
/*
 * The board qemu-npu-soc: memory map, clocks, interrupt numbers. No other source file repeats these numbers. Start-up code and
 * drivers include this file, the preprocessor applies it to the linker layout, and the machine in QEMU is compiled with it. Therefore it
 * holds only macros. Sizes are in bytes, clocks in Hz.
 */
#ifndef BOARDS_QEMU_NPU_SOC_BOARD_H
#define BOARDS_QEMU_NPU_SOC_BOARD_H

#include "boards/devices/simulated.h"

/* The board's description in QEMU's list of machines. */
#define BOARD_DESCRIPTION "NPU SoC: Cortex-M55 control core and the accelerator of libcox_model.so"

/* Memory (docs/design.md, memory map). */
#define BOARD_CODE_BASE 0x00000000
#define BOARD_CODE_SIZE 0x00400000
#define BOARD_SRAM_BASE 0x20000000
#define BOARD_SRAM_SIZE 0x00200000
#define BOARD_UART_BASE 0x40004000
#define BOARD_PROBE_BASE 0x40008000
#define BOARD_WATCHDOG_BASE 0x4000c000
#define BOARD_MAILBOX_BASE 0x40010000
#define BOARD_DMA_BASE 0x40014000
#define BOARD_NPU_BASE 0x50000000
#define BOARD_L2_BASE 0x58000000
#define BOARD_DRAM_BASE 0x60000000
#define BOARD_DRAM_SIZE_MIN 0x01000000
#define BOARD_DRAM_SIZE_DEFAULT 0x10000000
#define BOARD_DRAM_SIZE_MAX 0x40000000

/* Sizes of parts of SRAM, for the linker layout. .data and .bss take what is left. */
#define BOARD_STACK_GUARD_SIZE 0x00000400 /* below the stack; not mapped by the MPU */
#define BOARD_STACK_SIZE 0x00010000
#define BOARD_FAULT_STACK_SIZE 0x00000800 /* for the fault report, since the main stack may be broken */
#define BOARD_HEAP_SIZE 0x00004000        /* for constructors before main; closed afterwards */
#define BOARD_QUEUES_SIZE 0x00080000      /* submission and completion queues, not cached; includes BOARD_RETAINED_SIZE */
#define BOARD_RETAINED_SIZE 0x00000400    /* kept over a reset of the core: never cleared */

/* Clocks. */
#define BOARD_CORE_CLOCK 500000000
#define BOARD_REFERENCE_CLOCK 1000000
/* Ticks of SysTick. They are few, because each tick wakes the core. A tick has 5,000,000 clocks, which fit the timer's 24 bits. */
#define BOARD_TICKS_PER_SECOND 100

/* The accelerator: options of its model (docs/model.md), unless -machine or cox run give others. */
#define BOARD_MODEL_OPTIONS "{}"

/* Interrupts of the NVIC. */
#define BOARD_INTERRUPTS 64
#define BOARD_UART_IRQ 0 /* the UART's combined interrupt */
#define BOARD_NPU_COMPLETION_IRQ 8
#define BOARD_NPU_FAULT_IRQ 9
#define BOARD_MAILBOX_IRQ 10
#define BOARD_DMA_IRQ 11

#endif
