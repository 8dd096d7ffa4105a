/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine npu-soc: the board boards/qemu-npu-soc (docs/qemu.md). */
#include "qemu/osdep.h"

#include "hw/arm/npu/npu-soc_board.h"

#define NPU_MACHINE "npu-soc"
#define NPU_MACHINE_DESCRIPTION "NPU SoC: Cortex-M55 control core and the accelerator of libcox_model.so"
#include "npu_machine.c.inc"
