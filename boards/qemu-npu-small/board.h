/* SPDX-License-Identifier: MIT */
/*
 * The board qemu-npu-small: the smallest SoC that runs the firmware with one tile core (docs/porting.md). No other source file repeats
 * these numbers. Start-up code and drivers include this file, the preprocessor applies it to the linker layout, and the machine in QEMU
 * is compiled with it. Therefore it holds only macros. Sizes are in bytes, clocks in Hz.
 */
#ifndef BOARDS_QEMU_NPU_SMALL_BOARD_H
#define BOARDS_QEMU_NPU_SMALL_BOARD_H

#include "boards/devices/simulated.h"

/* The board's description in QEMU's list of machines. */
#define BOARD_DESCRIPTION "The smallest NPU SoC: one tile core with 1 MiB of L2, 128 KiB of SRAM"

/* Memory (docs/porting.md). */
#define BOARD_CODE_BASE 0x08000000
#define BOARD_CODE_SIZE 0x00020000
#define BOARD_STREAM_JOBS 0 /* no jobs for engines that run streams, because their code does not fit */
#define BOARD_SRAM_BASE 0x28000000
#define BOARD_SRAM_SIZE 0x00020000
#define BOARD_UART_BASE 0x40010000
#define BOARD_PROBE_BASE 0x40011000
#define BOARD_WATCHDOG_BASE 0x40012000
#define BOARD_MAILBOX_BASE 0x40013000
/* There is no BOARD_DMA_BASE: this board has no DMA engine. */
#define BOARD_NPU_BASE 0x44000000
#define BOARD_L2_BASE 0x70000000
#define BOARD_DRAM_BASE 0xc0000000
#define BOARD_DRAM_SIZE_MIN 0x00400000
#define BOARD_DRAM_SIZE_DEFAULT 0x01000000
#define BOARD_DRAM_SIZE_MAX 0x02000000

/* Sizes of parts of SRAM, for the linker layout. .data and .bss take what is left. */
#define BOARD_STACK_GUARD_SIZE 0x00000400 /* below the stack; not mapped by the MPU */
#define BOARD_STACK_SIZE 0x00004000
#define BOARD_FAULT_STACK_SIZE 0x00000800 /* for the fault report, since the main stack may be broken */
#define BOARD_HEAP_SIZE 0x00001000        /* for constructors before main; closed afterwards */
#define BOARD_QUEUES_SIZE 0x00014000      /* submission and completion queues of one core, not cached; includes BOARD_RETAINED_SIZE */
#define BOARD_RETAINED_SIZE 0x00000400    /* kept over a reset of the core: never cleared */

/* Clocks. */
#define BOARD_CORE_CLOCK 100000000
#define BOARD_REFERENCE_CLOCK 1000000
/* Ticks of SysTick. They are few, because each tick wakes the core. A tick has 1,000,000 clocks, which fit the timer's 24 bits. */
#define BOARD_TICKS_PER_SECOND 100

/* The accelerator: options of its model (docs/model.md), unless -machine or cox run give others. */
#define BOARD_MODEL_OPTIONS "{\"geometry\": {\"l2_mib\": 1, \"wl0_units\": 2560}}"

/* Interrupts of the NVIC. */
#define BOARD_INTERRUPTS 16
#define BOARD_UART_IRQ 2 /* the UART's combined interrupt */
#define BOARD_NPU_COMPLETION_IRQ 5
#define BOARD_NPU_FAULT_IRQ 6
#define BOARD_MAILBOX_IRQ 7

#endif
