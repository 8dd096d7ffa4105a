/* SPDX-License-Identifier: MIT */
#ifndef TESTS_TARGET_THREADS_PREEMPTION_H
#define TESTS_TARGET_THREADS_PREEMPTION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The whole test (preemption.c). The task image examples/three_engines/copy.jsonl is at the base of DRAM. Returns 0 if all results are
 * right. */
int preemption(void);

/* What the port counts (main.c, native.cpp): how often it has preempted a thread, and ticks that interrupt the accelerator's handlers. */
unsigned long preemptions(void);
unsigned long nested_ticks(void);
/* Lets other threads run, and time pass. */
void let_others_run(void);
/* Begins preemption. Returns 1 if ticks interrupt the accelerator's handlers. */
int begin_preemption(void);

#ifdef __cplusplus
}
#endif
#endif
