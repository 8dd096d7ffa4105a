/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mailbox between the control core and a host process (docs/host.md; registers: device/mailbox.h). The host is at the other end of a
 * character device, and each message is one byte (boards/devices/simulated.h).
 *
 * QEMU interface:
 * + sysbus MMIO region 0: the registers
 * + sysbus IRQ 0: high while the host has rung
 * + property "chardev": the link to the host; without it, no host is there
 * + property "log": a file for times of rings; empty: none
 */
#ifndef HW_ARM_NPU_MAILBOX_H
#define HW_ARM_NPU_MAILBOX_H

#include "chardev/char-fe.h"
#include "hw/sysbus.h"
#include "qom/object.h"

#define TYPE_NPU_MAILBOX "npu-mailbox"
#define NPU_MAILBOX_SIZE 0x1000
OBJECT_DECLARE_SIMPLE_TYPE(NPUMailboxState, NPU_MAILBOX)

struct NPUMailboxState {
  SysBusDevice parent_obj;

  CharBackend host;
  char *log_path;
  FILE *log;
  bool connected;
  bool to_core; /* TO_CORE_STATUS.RUNG */
  bool to_host; /* TO_HOST_STATUS.RUNG: the host was told and has not cleared it */
  bool again;   /* the control core has rung while to_host was true */
  qemu_irq line;
  MemoryRegion registers;
};

#endif
