/* SPDX-License-Identifier: MIT */
/* A stand-in for Zephyr's header: the declarations that zephyr/board.cpp and the sample use, so that they compile without Zephyr. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int64_t ticks;
} k_timeout_t;
#define K_MSEC(ms) ((k_timeout_t){(ms)})
#define K_FOREVER ((k_timeout_t){-1})
#define K_SEM_MAX_LIMIT UINT32_MAX
#define __noinit __attribute__((section(".noinit")))
#define __nocache __attribute__((section(".nocache")))

struct k_sem {
  unsigned count, limit;
};
typedef struct k_thread *k_tid_t;

int k_sem_init(struct k_sem *sem, unsigned initial, unsigned limit);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);
void k_cpu_atomic_idle(unsigned key);
int64_t k_uptime_ticks(void);
uint64_t k_ticks_to_us_floor64(uint64_t ticks);
k_tid_t k_current_get(void);
void k_thread_abort(k_tid_t thread);
int32_t k_sleep(k_timeout_t timeout);

#ifdef __cplusplus
}
#endif
