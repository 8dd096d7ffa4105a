/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulation probe: figures that only a simulator has (registers: boards/devices/simulated.h).
 *
 * QEMU interface:
 * + sysbus MMIO region 0: the registers
 * + property "dram-size": the value of the register DRAM_SIZE
 * + property "host": the bit HOST of the register FEATURES
 */
#ifndef HW_ARM_NPU_PROBE_H
#define HW_ARM_NPU_PROBE_H

#include "hw/sysbus.h"
#include "qom/object.h"

#define TYPE_NPU_PROBE "npu-probe"
#define NPU_PROBE_SIZE 0x1000
OBJECT_DECLARE_SIMPLE_TYPE(NPUProbeState, NPU_PROBE)

struct NPUProbeState {
  SysBusDevice parent_obj;

  uint32_t dram_size;
  bool host;
  uint32_t executed_hi;
  MemoryRegion registers;
};

#endif
