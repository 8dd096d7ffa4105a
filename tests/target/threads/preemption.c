/* SPDX-License-Identifier: MIT */
/*
 * Threads that are preempted: two submit to the MX engine, two start tasks on the tile cores, one uses the matrix unit, and one polls. Each
 * spoils its output before each round and compares it afterwards. On the target, a tick also interrupts the accelerator's handlers. If the
 * accelerator fails (a plan of faults), threads recover their engines beside each other and repeat their rounds.
 */
#include "tests/target/threads/preemption.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "examples/threads/kernel.h"
#include "coxswain/firmware/coxswain.h"
#include "coxswain/kernels/cube/coxswain_cube.h"
#include "coxswain/kernels/mx/coxswain_mx.h"

enum {
  ROUNDS = 240,
  PIECE = 512,
  CHANNELS = 16,
  SIDE = 8,
  VALUES = CHANNELS * SIDE * SIDE,
  N = 16,
  STREAM_BYTES = 16 << 10,
  STACK_WORDS = 4096
};
enum { IMAGE_ROOM = 1 << 20, IMAGE_HEADER_BYTES = 16, PAYLOAD_BYTES_WORD = 2 };
enum { ADDERS = 2, COPIERS = 2 };

static uintptr_t next; /* the first byte of DRAM that is not in use */

static void *take(size_t bytes) {
  void *const taken = (void *)next;
  next += (bytes + COX_ALIGNMENT - 1) / COX_ALIGNMENT * COX_ALIGNMENT;
  return taken;
}

static uint64_t address_of(const void *memory) { return cox_bus_address(memory); }

static int failed(const char *step, cox_status status) {
  if (status.error == COX_OK) return 0;
  printf("%s: %s: %s is %ld, limit %ld\n", step, cox_error_name(status.error), status.what, (long)status.value, (long)status.limit);
  return 1;
}

/* A thread: its work, and what it has found. */
typedef struct worker worker;
struct worker {
  cox_status (*submit)(worker *self, cox_handle *handle);
  void (*spoil)(worker *self);
  bool (*is_right)(worker *self);
  int wrong;
  unsigned long refused; /* submissions for which there was no room */
  unsigned long failed;  /* rounds in which the accelerator failed */
  volatile bool has_ended;
  cox_mx_stream mx;
  cox_mx_tensor term, sum;
  uint8_t expected[VALUES * 2]; /* the bytes of `sum` */
  cox_cube_stream cube;
  float *output;
  cox_task task;
  cox_window windows[COX_WINDOWS];
};
static worker adders[ADDERS], copiers[COPIERS], multiplier;
static volatile int running;
static volatile unsigned long ticks_in_handlers;

/* A callback from the interrupt. Where ticks interrupt handlers, it stays in the handler until one has come. */
static void end(cox_handle handle, void *argument) {
  (void)handle;
  const unsigned long before = nested_ticks();
  if (before != 0) {
    for (volatile int i = 0; i < 100000 && nested_ticks() == before; ++i) {
    }
    ticks_in_handlers += nested_ticks() - before;
  }
  ((worker *)argument)->has_ended = true;
}

/* Waits for the work in one of four ways. */
static cox_status wait_for(worker *self, cox_handle handle, int round) {
  switch (round % 4) {
    case 0: return cox_wait_for(handle, 1000000);
    case 1:
      while (!cox_has_ended(handle)) let_others_run();
      return cox_wait_for(handle, 0);
    case 2: {
      self->has_ended = false;
      const cox_status status = cox_call_at_end(handle, end, self, COX_CALL_FROM_INTERRUPT);
      if (status.error != COX_OK) return status;
      while (!self->has_ended) let_others_run();
      return cox_wait_for(handle, 0);
    }
    default:
      while (true) {
        const cox_status status = cox_wait_for(handle, 1);
        if (status.error != COX_ERROR_TIMEOUT) return status;
      }
  }
}

static void work(void *argument) {
  worker *const self = argument;
  for (int round = 0; round < ROUNDS; ++round) {
    self->spoil(self);
    cox_handle handle = 0;
    cox_status status = self->submit(self, &handle);
    for (; status.error == COX_ERROR_NO_ROOM; status = self->submit(self, &handle)) {
      ++self->refused;
      let_others_run();
    }
    if (status.error == COX_OK) status = wait_for(self, handle, round);
    if (status.error == COX_ERROR_DEVICE_FAULT) {
      ++self->failed;
      --round;
    } else if (failed("round", status) || !self->is_right(self)) {
      ++self->wrong;
      break;
    }
  }
  taskENTER_CRITICAL();
  --running;
  taskEXIT_CRITICAL();
}

/* The thread that polls. */
static void poll(void *argument) {
  (void)argument;
  while (running != 0) {
    cox_poll();
    let_others_run();
  }
}

static cox_status submit_sum(worker *self, cox_handle *handle) { return cox_mx_submit(&self->mx, handle); }

static void *sum_of(worker *self) { return cox_core_address(self->sum.address); }

static void spoil_sum(worker *self) {
  memset(sum_of(self), 0xEE, (size_t)cox_mx_tensor_bytes(&self->sum));
  cox_mx_give(&self->sum);
}

static bool sum_is_right(worker *self) {
  cox_mx_take(&self->sum);
  return memcmp(sum_of(self), self->expected, (size_t)cox_mx_tensor_bytes(&self->sum)) == 0;
}

static int prepare_adder(worker *self, int number) {
  self->submit = submit_sum, self->spoil = spoil_sum, self->is_right = sum_is_right;
  self->term = (cox_mx_tensor){.channels = CHANNELS, .height = SIDE, .width = SIDE};
  self->sum = self->term;
  self->term.address = address_of(take((size_t)cox_mx_tensor_bytes(&self->term)));
  self->sum.address = address_of(take((size_t)cox_mx_tensor_bytes(&self->sum)));
  float *const values = take(VALUES * sizeof(float));
  for (int i = 0; i < VALUES; ++i) values[i] = (float)((i + 7 * number) % 64 * 2);
  if (failed("cox_mx_pack", cox_mx_pack(values, &self->sum))) return 1;
  memcpy(self->expected, sum_of(self), (size_t)cox_mx_tensor_bytes(&self->sum));
  for (int i = 0; i < VALUES; ++i) values[i] /= 2;
  if (failed("cox_mx_pack", cox_mx_pack(values, &self->term))) return 1;
  cox_mx_give(&self->term);
  if (failed("cox_mx_stream_init", cox_mx_stream_init(&self->mx, take(STREAM_BYTES), STREAM_BYTES))) return 1;
  return failed("cox_mx_eladd", cox_mx_eladd(&self->mx, &self->term, &self->term, &self->sum));
}

static cox_status submit_product(worker *self, cox_handle *handle) { return cox_cube_submit(&self->cube, handle); }

static void spoil_product(worker *self) {
  for (int i = 0; i < N * N; ++i) self->output[i] = -1;
  cox_cube_give(address_of(self->output), N * N * sizeof(float));
}

static bool product_is_right(worker *self) {
  cox_cube_take(address_of(self->output), N * N * sizeof(float));
  for (int i = 0; i < N * N; ++i) {
    if (self->output[i] != 2 * N) return false;
  }
  return true;
}

static cox_cube_matrix matrix(const float *elements) { return (cox_cube_matrix){.address = address_of(elements), .rows = N, .columns = N}; }

static int prepare_multiplier(worker *self) {
  self->submit = submit_product, self->spoil = spoil_product, self->is_right = product_is_right;
  float *const left = take(N * N * sizeof(float)), *const right = take(N * N * sizeof(float));
  self->output = take(N * N * sizeof(float));
  for (int i = 0; i < N * N; ++i) left[i] = 1, right[i] = 2;
  cox_cube_give(address_of(left), N * N * sizeof(float));
  cox_cube_give(address_of(right), N * N * sizeof(float));
  cox_cube_gemm_arguments arguments = cox_cube_gemm_defaults();
  arguments.type = COX_CUBE_FLOAT;
  arguments.left = matrix(left);
  arguments.right = matrix(right);
  arguments.output = matrix(self->output);
  if (failed("cox_cube_stream_init", cox_cube_stream_init(&self->cube, take(STREAM_BYTES), STREAM_BYTES, 1))) return 1;
  return failed("cox_cube_gemm", cox_cube_gemm(&self->cube, &arguments));
}

static cox_status submit_copy(worker *self, cox_handle *handle) { return cox_start(&self->task, self->windows, NULL, handle); }

static uint8_t *half(worker *self, int number) { return (uint8_t *)self->windows[0].address + (size_t)number * self->windows[0].size / 2; }

/* Only a piece is spoilt and compared, so that the thread spends most of its time in Coxswain. */
static void spoil_copy(worker *self) { memset(half(self, 1), 0xEE, PIECE); }

static bool copy_is_right(worker *self) { return memcmp(half(self, 0), half(self, 1), PIECE) == 0; }

static int prepare_copier(worker *self, int number) {
  self->submit = submit_copy, self->spoil = spoil_copy, self->is_right = copy_is_right;
  const void *const image = cox_dram().address;
  uint32_t header[IMAGE_HEADER_BYTES / sizeof(uint32_t)];
  memcpy(header, image, sizeof(header));
  const size_t image_bytes = IMAGE_HEADER_BYTES + (size_t)header[PAYLOAD_BYTES_WORD];
  size_t bytes = 0;
  if (failed("cox_workspace_bytes", cox_workspace_bytes(image, image_bytes, &bytes))) return 1;
  if (failed("cox_load", cox_load(&self->task, image, image_bytes, take(bytes), bytes))) return 1;
  self->windows[0].size = (size_t)cox_window_bytes(&self->task, 0);
  self->windows[0].address = take(self->windows[0].size);
  for (size_t i = 0; i < self->windows[0].size / 2; ++i) half(self, 0)[i] = (uint8_t)(i * 7 + i / 256 + (size_t)number);
  return 0;
}

static int prepare(void) {
  int bad = prepare_multiplier(&multiplier);
  for (int i = 0; i < ADDERS; ++i) bad |= prepare_adder(&adders[i], i);
  for (int i = 0; i < COPIERS; ++i) bad |= prepare_copier(&copiers[i], i);
  return bad;
}

static void start(worker *self, const char *name) {
  ++running;
  xTaskCreate(work, name, STACK_WORDS, self, 1, NULL);
}

static int verdict(const char *name, bool is_right) {
  printf("%s: %s\n", name, is_right ? "right" : "WRONG");
  return is_right;
}

int preemption(void) {
  next = (uintptr_t)cox_dram().address + IMAGE_ROOM;
  cox_options options = COX_OPTIONS;
  options.interrupt_priority = kKernelPriority;
  if (failed("cox_open", cox_open(&options)) || failed("cox_tile_open", cox_tile_open()) || failed("cox_mx_open", cox_mx_open()) ||
      failed("cox_cube_open", cox_cube_open()) || prepare())
    return 1;
  for (int i = 0; i < ADDERS; ++i) start(&adders[i], "add");
  for (int i = 0; i < COPIERS; ++i) start(&copiers[i], "copy");
  start(&multiplier, "multiply");
  xTaskCreate(poll, "poll", STACK_WORDS, NULL, 1, NULL);
  const int is_nesting = begin_preemption();
  vTaskStartScheduler();

  int good = verdict("mx", adders[0].wrong + adders[1].wrong == 0);
  good &= verdict("tile", copiers[0].wrong + copiers[1].wrong == 0);
  good &= verdict("cube", multiplier.wrong == 0);
  good &= verdict("preempted", preemptions() > 100);
  printf("failed rounds: mx %lu, tile %lu, cube %lu\n", adders[0].failed + adders[1].failed, copiers[0].failed + copiers[1].failed,
         multiplier.failed);
  if (is_nesting) good &= verdict("tick in a handler", ticks_in_handlers > 100);
  if (failed("cox_mx_close", cox_mx_close()) || failed("cox_cube_close", cox_cube_close()) || failed("cox_tile_close", cox_tile_close()) ||
      failed("cox_close", cox_close()))
    return 1;
  return good ? 0 : 1;
}
