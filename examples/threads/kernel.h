/* SPDX-License-Identifier: MIT */
/*
 * A small kernel for this example. Its functions have the names and parameters of FreeRTOS, as far as the example needs them, but none of
 * its code. It is cooperative: a task runs until it blocks. On the target, it may also preempt tasks. Not thread safe on several cores.
 */
#ifndef EXAMPLES_THREADS_KERNEL_H
#define EXAMPLES_THREADS_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t; /* in milliseconds */
typedef void (*TaskFunction_t)(void *argument);
typedef struct cox_example_semaphore *SemaphoreHandle_t;

enum { pdFALSE = 0, pdTRUE = 1, pdPASS = 1 };
#define portMAX_DELAY UINT32_MAX

/* Creates a task. At most 8 tasks; each has a stack of the same size. `name`, `stack_words` and `priority` have no effect, and `handle`
 * must be NULL. A task ends when its function returns. */
BaseType_t xTaskCreate(TaskFunction_t function, const char *name, uint32_t stack_words, void *argument, UBaseType_t priority, void *handle);
/* Runs the tasks. Returns when all have ended. While no task is ready, the core sleeps. */
void vTaskStartScheduler(void);
/* Lets the other tasks run that are ready. Does nothing if no task runs. */
void taskYIELD(void);
TickType_t xTaskGetTickCount(void);

/* At most 16 semaphores. */
SemaphoreHandle_t xSemaphoreCreateCounting(UBaseType_t maximum, UBaseType_t initial);
/* Returns pdFALSE if the semaphore was not given for `ticks`. Not in a critical section. */
BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, TickType_t ticks);
/* Callable from interrupts that taskENTER_CRITICAL() masks. */
BaseType_t xSemaphoreGiveFromISR(SemaphoreHandle_t semaphore, BaseType_t *woken);

/* Critical sections mask the interrupts of priority kKernelPriority and lower; they nest. Interrupts of a higher priority run on. */
enum { kKernelPriority = 4 };
uint32_t ulPortRaiseBASEPRI(void);
void vPortSetBASEPRI(uint32_t before);
void taskENTER_CRITICAL(void);
void taskEXIT_CRITICAL(void);

/* Only on the target: from now on, a tick of 10 us preempts the task that runs, if it is not in a critical section. The tick has a higher
 * priority than kKernelPriority. xTaskGetTickCount() then counts in steps of 10. */
void vPortStartPreemption(void);
unsigned long ulPortPreemptions(void);
unsigned long ulPortTicks(void); /* of this tick */

#ifdef __cplusplus
}
#endif
#endif
