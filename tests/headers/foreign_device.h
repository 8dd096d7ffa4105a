/* SPDX-License-Identifier: MIT */
/*
 * A device header as a vendor writes it, with the conventions of CMSIS-Core: IRQn_Type, what the core has, the core's header, the system
 * header's declarations, peripherals. Its accelerator has another address than ours, and its DMA engine and mailbox are other devices.
 */
#ifndef FOREIGN_DEVICE_H
#define FOREIGN_DEVICE_H

#ifdef __cplusplus
extern "C" {
#endif

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
  UART_IRQn = 33,
  DMA_IRQn = 34,
  MAILBOX_IRQn = 35,
  NPU_COMPLETION_IRQn = 36,
  NPU_FAULT_IRQn = 37
} IRQn_Type;

#define __CM55_REV 0x0101U
#define __NVIC_PRIO_BITS 4U
#define __Vendor_SysTickConfig 0U
#define __VTOR_PRESENT 1U
#define __MPU_PRESENT 1U
#define __SAUREGION_PRESENT 1U
#define __FPU_PRESENT 1U
#define __FPU_DP 1U
#define __DSP_PRESENT 1U
#define __ICACHE_PRESENT 1U
#define __DCACHE_PRESENT 1U
#define __PMU_PRESENT 1U
#define __PMU_NUM_EVENTCNT 8U

#include "core_cm55.h"

/* As in system_DEVICE.h. */
typedef void (*VECTOR_TABLE_Type)(void);
extern uint32_t SystemCoreClock;
extern void SystemInit(void);
extern void SystemCoreClockUpdate(void);

typedef struct {
  __IOM uint32_t CTRL;
  __IM uint32_t STATUS;
  __OM uint32_t START;
} DMA_Type;
typedef struct {
  __IOM uint32_t MBOX[4];
} MAILBOX_Type;

#define DMA_BASE 0x40030000UL
#define MAILBOX_BASE 0x40031000UL
#define NPU_BASE 0x48000000UL
#define DMA ((DMA_Type *)DMA_BASE)
#define MAILBOX ((MAILBOX_Type *)MAILBOX_BASE)
#define NPU ((NPU_Type *)NPU_BASE)

/* What a user of CMSIS-Core writes. */
static inline void foreign_enable_dma(void) {
  NVIC_SetPriority(DMA_IRQn, (1U << __NVIC_PRIO_BITS) - 1U);
  NVIC_EnableIRQ(DMA_IRQn);
  DMA->START = DMA->STATUS | 1U;
  SCB->CPACR = SystemCoreClock;
  __DSB();
}

#ifdef __cplusplus
}
#endif

#endif
