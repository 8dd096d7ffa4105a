/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bridge from QEMU to the accelerator model (cox_model.h).
 *
 * QEMU interface:
 * + sysbus MMIO region 0: the accelerator's registers
 * + sysbus MMIO region 1: the DMA engine's registers
 * + sysbus MMIO region 2 + i: the L2 buffer of tile core i; it exists after realize
 * + sysbus IRQ 0: completion queues; 1: faults; 2: DMA engine
 * + GPIO input "nonsecure": 1 if the accelerator's accesses to memory are non-secure; secure after power-on
 * + property "model": path of libcox_model.so
 * + property "model-options": a JSON object for the model, or @FILE that holds one
 * + link "memory": what the accelerator's accesses reach; by default the system memory
 * + properties "registers-size", "dma-size": bytes of the regions 0 and 1
 * + properties "l2-stride", "l2-cores": the largest L2 buffer in bytes, and the number of buffers that the board has room for
 */
#ifndef HW_ARM_NPU_BRIDGE_H
#define HW_ARM_NPU_BRIDGE_H

#include "hw/arm/npu/cox_model.h"
#include "hw/sysbus.h"
#include "qemu/notify.h"
#include "qemu/timer.h"
#include "qom/object.h"

#define TYPE_NPU_BRIDGE "npu-bridge"
OBJECT_DECLARE_SIMPLE_TYPE(NPUBridgeState, NPU_BRIDGE)

#define NPU_BRIDGE_LINES 3
#define NPU_BRIDGE_CORES_MAX 16

/* The functions of cox_model.h, as found in the library. */
typedef struct NPUModelLibrary {
  void *handle;
  __typeof__(cox_model_abi) *abi;
  __typeof__(cox_model_create) *create;
  __typeof__(cox_model_destroy) *destroy;
  __typeof__(cox_model_reset) *reset;
  __typeof__(cox_model_read) *read;
  __typeof__(cox_model_write) *write;
  __typeof__(cox_model_advance) *advance;
  __typeof__(cox_model_next_event) *next_event;
  __typeof__(cox_model_cores) *cores;
  __typeof__(cox_model_l2) *l2;
} NPUModelLibrary;

/* A block of registers, and the offset by which the model knows its first register. */
#define NPU_BRIDGE_BLOCKS 2 /* the accelerator's and the DMA engine's */
typedef struct NPURegisters {
  MemoryRegion region;
  struct NPUBridgeState *bridge;
  uint32_t offset;
} NPURegisters;

struct NPUBridgeState {
  SysBusDevice parent_obj;

  char *model_path;
  char *model_options;
  MemoryRegion *memory;
  AddressSpace *space, own_space;
  uint64_t registers_size;
  uint64_t dma_size;
  uint64_t l2_stride;
  uint32_t l2_cores;

  NPUModelLibrary library;
  cox_model *model;
  bool nonsecure;
  bool in_model; /* a call into the model is in progress */
  uint64_t now;  /* the latest time that the model got */

  NPURegisters registers[NPU_BRIDGE_BLOCKS];
  MemoryRegion l2[NPU_BRIDGE_CORES_MAX];
  uint32_t cores;
  qemu_irq lines[NPU_BRIDGE_LINES];
  QEMUTimer *event;
  Notifier exit;
};

#endif
