/* SPDX-License-Identifier: MIT */
/* The program on the target. */
#include "examples/threads/kernel.h"
#include "tests/target/threads/preemption.h"

unsigned long preemptions(void) { return ulPortPreemptions(); }
unsigned long nested_ticks(void) { return ulPortTicks(); }
void let_others_run(void) { taskYIELD(); }

int begin_preemption(void) {
  vPortStartPreemption();
  return 1;
}

int main(void) { return preemption(); }
