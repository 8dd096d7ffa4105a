/* SPDX-License-Identifier: MIT */
/* The program on the target. It also shows that the board's tick goes on in the kernel's critical sections. */
#include <stdio.h>

#include "examples/threads/kernel.h"
#include "examples/threads/threads.h"

/* Stays in a critical section for some 40 ms. Returns the time that the board has counted. With all interrupts masked, it would count at
 * most two ticks of 10 ms. */
static TickType_t stay_in_critical_section(void) {
  taskENTER_CRITICAL();
  const TickType_t begin = xTaskGetTickCount();
  for (volatile int i = 0; i < 5000000; ++i) {
  }
  const TickType_t end = xTaskGetTickCount();
  taskEXIT_CRITICAL();
  return end - begin;
}

int main(void) {
  const int status = threads();
  const int goes_on = stay_in_critical_section() > 25;
  printf("tick in a critical section: %s\n", goes_on ? "right" : "WRONG");
  return status != 0 || !goes_on;
}
