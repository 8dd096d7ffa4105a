/* SPDX-License-Identifier: MIT */
/* A stand-in for Zephyr's header (kernel.h). */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
unsigned irq_lock(void);
void irq_unlock(unsigned key);
int irq_connect_dynamic(unsigned irq, unsigned priority, void (*routine)(const void *), const void *parameter, uint32_t flags);
void irq_enable(unsigned irq);
#ifdef __cplusplus
}
#endif
