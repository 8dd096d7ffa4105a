/* SPDX-License-Identifier: MIT */
/* The core as this board's code sees it: the accelerator's device header, CMSIS-Core, and the interrupt that only the board has. */
#ifndef BOARDS_QEMU_NPU_SOC_DEVICE_H
#define BOARDS_QEMU_NPU_SOC_DEVICE_H

#include "boards/qemu-npu-soc/board.h"
#include "hal/device/npu.h"

/* After npu.h, as CMSIS-Core wants it. */
#include "core_cm55.h"

#define UART_IRQn ((IRQn_Type)BOARD_UART_IRQ)

static_assert(NPU_COMPLETION_IRQn == BOARD_NPU_COMPLETION_IRQ, "npu.svd and board.h agree");
static_assert(NPU_FAULT_IRQn == BOARD_NPU_FAULT_IRQ, "npu.svd and board.h agree");

#endif
