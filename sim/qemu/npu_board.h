/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of a board, as its board.json has them (docs/porting.md). */
#ifndef HW_ARM_NPU_BOARD_H
#define HW_ARM_NPU_BOARD_H

#include "qapi/error.h"

/* A region of the memory map. A device that the board does not have has size 0. The accelerator sees a memory at `bus`. */
typedef struct NPURegion {
  uint64_t base;
  uint64_t bus;
  uint64_t size;
  uint64_t irq;
} NPURegion;

typedef struct NPUBoard {
  char *description;
  char *model_options; /* a JSON object */
  NPURegion code, sram, l2, dram;
  NPURegion uart, probe, watchdog, mailbox, dma, npu;
  uint64_t l2_stride, l2_cores;
  uint64_t dram_min, dram_default;
  uint64_t npu_fault_irq; /* npu.irq is the completion interrupt */
  uint64_t core_clock, uart_clock, reference_clock;
  uint64_t interrupts;
} NPUBoard;

/*
 * Reads the text of a board.json. @where names the file in messages. Checks what the machine needs; boards/generate_map.py checks
 * everything.
 */
bool npu_board_read(NPUBoard *board, const char *text, const char *where, Error **errp);

/* True if the accelerator sees all memories where the core does. */
static inline bool npu_board_is_identity(const NPUBoard *board)
{
    return board->code.bus == board->code.base && board->sram.bus == board->sram.base && board->dram.bus == board->dram.base;
}

#endif
