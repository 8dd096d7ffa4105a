/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine npu-compact: the board boards/qemu-npu-compact (docs/porting.md). */
#include "qemu/osdep.h"

#include "hw/arm/npu/npu-compact_board.h"

#define NPU_MACHINE "npu-compact"
#define NPU_MACHINE_DESCRIPTION "A smaller NPU SoC with another memory map: Cortex-M55 control core and the accelerator of libcox_model.so"
#include "npu_machine.c.inc"
