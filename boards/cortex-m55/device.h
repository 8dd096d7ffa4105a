/* SPDX-License-Identifier: MIT */
/* What a board's code includes for the control core: the accelerator's device header, CMSIS-Core, and the board's interrupt numbers. */
#ifndef BOARDS_CORTEX_M55_DEVICE_H
#define BOARDS_CORTEX_M55_DEVICE_H

#include "board.h"
#include "coxswain/device/npu.h"

/* Must come after npu.h, which has the definitions that CMSIS-Core needs. */
#include "core_cm55.h"

#define UART_IRQn ((IRQn_Type)BOARD_UART_IRQ)
#ifdef BOARD_MAILBOX_IRQ
#define MAILBOX_IRQn ((IRQn_Type)BOARD_MAILBOX_IRQ)
#endif
#if defined(BOARD_DMA_BASE)
#define DMA_IRQn ((IRQn_Type)BOARD_DMA_IRQ)
#endif

static_assert(NPU_COMPLETION_IRQn == BOARD_NPU_COMPLETION_IRQ && NPU_FAULT_IRQn == BOARD_NPU_FAULT_IRQ,
              "npu.h was told of board.h's interrupts");
static_assert(NPU_BASE == BOARD_NPU_BASE, "and of its memory map");

#endif
