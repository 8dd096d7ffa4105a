/* SPDX-License-Identifier: MIT */
/* The system functions of CMSIS-Core for this project's boards (docs/startup.md). boards/cortex-m55/system.cpp defines them. */
#ifndef COXSWAIN_DEVICE_SYSTEM_NPU_SOC_H
#define COXSWAIN_DEVICE_SYSTEM_NPU_SOC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*VECTOR_TABLE_Type)(void);

/* Clock of the core in Hz. Start-up sets it before constructors and main() run; a program that changes the clock updates it. */
extern uint32_t SystemCoreClock;

/* Called by Reset_Handler with only the stack set up. Sets VTOR to this image's vector table and enables FPU and MVE. */
void SystemInit(void);

/* Sets SystemCoreClock to the core's present clock. */
void SystemCoreClockUpdate(void);

#ifdef __cplusplus
}
#endif

#endif
