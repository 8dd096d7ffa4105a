/* SPDX-License-Identifier: MIT */
/*
 * The device header of this project's boards, as CMSIS-Core wants it (docs/startup.md). Generated from npu.svd by generate.py: do not edit.
 * The board's own numbers, addresses and interrupts, come from board_map.h. A board of another SoC includes that SoC's header instead.
 */
#ifndef COXSWAIN_DEVICE_NPU_SOC_H
#define COXSWAIN_DEVICE_NPU_SOC_H

#include "board_map.h"

/* clang-format off */
#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(bugprone-reserved-identifier): CMSIS reserves these names for itself. */
/* Numbers of interrupts: negative ones are the core's exceptions. */
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
#define NPU_SOC_ENUMERATOR(NAME, NUMBER) NAME##_IRQn = NUMBER,
  BOARD_INTERRUPT_ROWS(NPU_SOC_ENUMERATOR)
#undef NPU_SOC_ENUMERATOR
  NPU_SOC_LAST_IRQn = BOARD_INTERRUPTS - 1
} IRQn_Type;

/* What the core has. */
#define __CM55_REV 0x0001U
#define __NVIC_PRIO_BITS 3U
#define __Vendor_SysTickConfig 0U
#define __VTOR_PRESENT 1U
#define __MPU_PRESENT 1U
#define __SAUREGION_PRESENT 1U
#define __FPU_PRESENT 1U
#define __FPU_DP 1U
#define __DSP_PRESENT 1U
#define __MVE_PRESENT 1U
#define __MVE_FP 1U
#define __ICACHE_PRESENT 1U
#define __DCACHE_PRESENT 1U
#define __PMU_PRESENT 1U
#define __PMU_NUM_EVENTCNT 8U
/* NOLINTEND(bugprone-reserved-identifier) */

#ifdef __cplusplus
}
#endif

#include "core_cm55.h"

#include "coxswain/device/npu.h"
#include "coxswain/device/system_npu_soc.h"

/* Peripherals. dma.h and mailbox.h describe the registers of the two others. */
#define NPU_BASE BOARD_NPU_BASE
#define NPU ((NPU_Type *)NPU_BASE)
/* clang-format on */

#endif
