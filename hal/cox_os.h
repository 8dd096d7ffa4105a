/* SPDX-License-Identifier: MIT */
/*
 * Functions of an operating system that a program may give to Coxswain (docs/porting.md, An operating system). Without them, Coxswain masks
 * all interrupts in its critical sections, and a call that waits puts the core to sleep. A program replaces these functions by defining
 * them in an object file of its own. The linker does not find them in an archive.
 */
#ifndef HAL_COX_OS_H
#define HAL_COX_OS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Engines have numbers below COX_OS_ENGINES here: their rows in device/engines.h. */
#define COX_OS_ENGINES 16u

/* Begins a critical section and returns the state before. Until cox_os_unlock(), neither the accelerator's interrupts nor other threads
 * that call Coxswain may run. Coxswain calls it from threads and from the accelerator's interrupts, and nests such sections. A section is
 * short: at most a few thousand instructions. */
uint32_t cox_os_lock(void);
/* Restores the state that the matching cox_os_lock() has returned. */
void cox_os_unlock(uint32_t state);

/* Blocks the calling thread until cox_os_notify() has been called for the engine, at most 10 ms. It may also return at any time before.
 * Coxswain calls it in a critical section that is not nested. The function ends that section while the thread is blocked, and begins it
 * again before it returns. A notification after the section's end must not be lost. This function has no default: in a program without
 * it, the core sleeps in the critical section. */
void cox_os_wait(uint32_t engine);

/* Unblocks all threads that are in cox_os_wait() for the engine. Coxswain calls it from threads and from the accelerator's interrupts, in
 * a critical section or not. */
void cox_os_notify(uint32_t engine);

#ifdef __cplusplus
}
#endif
#endif
