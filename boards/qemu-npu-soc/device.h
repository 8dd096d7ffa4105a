/* SPDX-License-Identifier: MIT */
/* The board's device header, as CMSIS-Core wants one: interrupt numbers and features of the core, then the core itself. */
#ifndef BOARDS_QEMU_NPU_SOC_DEVICE_H
#define BOARDS_QEMU_NPU_SOC_DEVICE_H

#include "boards/qemu-npu-soc/board.h"

typedef enum IRQn {
  NonMaskableInt_IRQn = -14,
  HardFault_IRQn = -13,
  MemoryManagement_IRQn = -12,
  BusFault_IRQn = -11,
  UsageFault_IRQn = -10,
  SecureFault_IRQn = -9,
  SVCall_IRQn = -5,
  DebugMonitor_IRQn = -4,
  PendSV_IRQn = -2,
  SysTick_IRQn = -1,
  UART_IRQn = BOARD_UART_IRQ,
  NPU_COMPLETION_IRQn = BOARD_NPU_COMPLETION_IRQ,
  NPU_FAULT_IRQn = BOARD_NPU_FAULT_IRQ
} IRQn_Type;

#define __CM55_REV 0x0001U
#define __NVIC_PRIO_BITS 3U
#define __Vendor_SysTickConfig 0U
#define __VTOR_PRESENT 1U
#define __FPU_PRESENT 1U
#define __FPU_DP 1U
#define __MPU_PRESENT 1U
#define __SAUREGION_PRESENT 0U
#define __DSP_PRESENT 1U
#define __MVE_PRESENT 1U
#define __MVE_FP 1U
#define __ICACHE_PRESENT 1U
#define __DCACHE_PRESENT 1U

#include "core_cm55.h"

#endif
