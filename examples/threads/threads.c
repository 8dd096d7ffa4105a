/* SPDX-License-Identifier: MIT */
/*
 * Two threads use two engines at the same time (README.md). One adds tensors on the MX engine, the other multiplies matrices on the matrix
 * unit. Each blocks while its engine works.
 */
#include "examples/threads/threads.h"

#include <stdbool.h>
#include <stdio.h>

#include "examples/threads/kernel.h"
#include "coxswain/kernels/cube/coxswain_cube.h"
#include "coxswain/kernels/mx/coxswain_mx.h"

enum { ROUNDS = 20, CHANNELS = 16, SIDE = 64, VALUES = CHANNELS * SIDE * SIDE, N = 128, STREAM_BYTES = 64 << 10, STACK_WORDS = 4096 };

static uintptr_t next; /* the first byte of DRAM that is not in use */

static void *take(size_t bytes) {
  void *const taken = (void *)next;
  next += (bytes + COX_ALIGNMENT - 1) / COX_ALIGNMENT * COX_ALIGNMENT;
  return taken;
}

static int failed(const char *step, cox_status status) {
  if (status.error == COX_OK) return 0;
  printf("%s: %s: %s is %ld, limit %ld\n", step, cox_error_name(status.error), status.what, (long)status.value, (long)status.limit);
  return 1;
}

/* A thread, and what the other one sees of it. */
typedef struct worker {
  volatile bool is_waiting; /* its engine works */
  int overlaps;             /* rounds that began while the other thread's engine worked */
  bool is_right;
} worker;
static worker adder, multiplier;

/* Numbers that stay in floating-point registers while the thread is blocked. */
static volatile float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};

static cox_status run_mx(const cox_mx_stream *stream) {
  const float a = ones[0], b = 2 * ones[1], c = 3 * ones[2], d = 4 * ones[3], e = 5 * ones[4], f = 6 * ones[5];
  adder.overlaps += multiplier.is_waiting;
  adder.is_waiting = true;
  const cox_status status = cox_mx_run(stream, 0);
  adder.is_waiting = false;
  adder.is_right &= a + b + c + d + e + f == 21;
  return status;
}

static void add(void *argument) {
  (void)argument;
  static cox_mx_stream stream;
  cox_mx_tensor term = {.channels = CHANNELS, .height = SIDE, .width = SIDE}, sum = term;
  term.address = cox_bus_address(take((size_t)cox_mx_tensor_bytes(&term)));
  sum.address = cox_bus_address(take((size_t)cox_mx_tensor_bytes(&sum)));
  float *const values = take(VALUES * sizeof(float));
  if (failed("cox_mx_stream_init", cox_mx_stream_init(&stream, take(STREAM_BYTES), STREAM_BYTES))) return;
  if (failed("cox_mx_eladd", cox_mx_eladd(&stream, &term, &term, &sum))) return;
  adder.is_right = true;
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < VALUES; ++i) values[i] = (float)((i + round) % 64);
    if (failed("cox_mx_pack", cox_mx_pack(values, &term))) adder.is_right = false;
    cox_mx_give(&term);
    if (failed("cox_mx_run", run_mx(&stream))) adder.is_right = false;
    cox_mx_take(&sum);
    if (failed("cox_mx_unpack", cox_mx_unpack(&sum, values))) adder.is_right = false;
    for (int i = 0; i < VALUES; ++i) adder.is_right &= values[i] == (float)((i + round) % 64 * 2);
  }
}

static cox_status run_cube(cox_cube_stream *stream) {
  const float a = 7 * ones[0], b = 8 * ones[1], c = 9 * ones[2], d = 10 * ones[3], e = 11 * ones[4], f = 12 * ones[5];
  multiplier.overlaps += adder.is_waiting;
  multiplier.is_waiting = true;
  const cox_status status = cox_cube_run(stream, 0);
  multiplier.is_waiting = false;
  multiplier.is_right &= a + b + c + d + e + f == 57;
  return status;
}

static void multiply(void *argument) {
  (void)argument;
  static cox_cube_stream stream;
  float *const left = take(N * N * sizeof(float)), *const right = take(N * N * sizeof(float)), *const output = take(N * N * sizeof(float));
  cox_cube_gemm_arguments arguments = cox_cube_gemm_defaults();
  arguments.type = COX_CUBE_FLOAT;
  arguments.left = (cox_cube_matrix){.address = cox_bus_address(left), .rows = N, .columns = N};
  arguments.right = (cox_cube_matrix){.address = cox_bus_address(right), .rows = N, .columns = N};
  arguments.output = (cox_cube_matrix){.address = cox_bus_address(output), .rows = N, .columns = N};
  if (failed("cox_cube_stream_init", cox_cube_stream_init(&stream, take(STREAM_BYTES), STREAM_BYTES, 1))) return;
  if (failed("cox_cube_gemm", cox_cube_gemm(&stream, &arguments))) return;
  multiplier.is_right = true;
  for (int round = 0; round < ROUNDS; ++round) {
    for (int i = 0; i < N * N; ++i) left[i] = (float)(round + 1), right[i] = 2;
    cox_cube_give(cox_bus_address(left), N * N * sizeof(float));
    cox_cube_give(cox_bus_address(right), N * N * sizeof(float));
    if (failed("cox_cube_run", run_cube(&stream))) multiplier.is_right = false;
    cox_cube_take(cox_bus_address(output), N * N * sizeof(float));
    for (int i = 0; i < N * N; ++i) multiplier.is_right &= output[i] == (float)(2 * N * (round + 1));
  }
}

static int verdict(const char *name, bool is_right) {
  printf("%s: %s\n", name, is_right ? "right" : "WRONG");
  return is_right;
}

int threads(void) {
  next = (uintptr_t)cox_dram().address;
  cox_options options = COX_OPTIONS;
  options.interrupt_priority = kKernelPriority; /* the kernel's critical sections mask it, and the tick has a higher one */
  if (failed("cox_open", cox_open(&options)) || failed("cox_mx_open", cox_mx_open()) || failed("cox_cube_open", cox_cube_open())) return 1;
  xTaskCreate(add, "add", STACK_WORDS, NULL, 1, NULL);
  xTaskCreate(multiply, "multiply", STACK_WORDS, NULL, 1, NULL);
  vTaskStartScheduler();

  int good = verdict("mx", adder.is_right);
  good &= verdict("cube", multiplier.is_right);
  good &= verdict("at the same time", adder.overlaps + multiplier.overlaps > 0);
  if (failed("cox_mx_close", cox_mx_close()) || failed("cox_cube_close", cox_cube_close()) || failed("cox_close", cox_close())) return 1;
  return good ? 0 : 1;
}
