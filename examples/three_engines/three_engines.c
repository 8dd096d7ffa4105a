/* SPDX-License-Identifier: MIT */
/*
 * A task on the tile cores, a kernel of the MX engine and a product of the matrix unit at the same time (README.md). The task copies 64
 * KiB, the kernel adds a tensor to itself, and the product is that of two matrices of 768 x 768 in BF16.
 */
#include "examples/three_engines/three_engines.h"

#include <stdio.h>
#include <string.h>

#include "coxswain/firmware/coxswain.h"
#include "coxswain/kernels/cube/coxswain_cube.h"
#include "coxswain/kernels/mx/coxswain_mx.h"

enum { COPIED = 64 << 10, CHANNELS = 16, SIDE = 256, VALUES = CHANNELS * SIDE * SIDE, N = 768, CHECKED = 16, STREAM_BYTES = 64 << 10 };
enum { IMAGE_ROOM = 1 << 20, IMAGE_HEADER_BYTES = 16, PAYLOAD_BYTES_WORD = 2 };

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

/* The task, and its window: input, then output. */
static cox_task task;
static cox_window windows[COX_WINDOWS];

static int prepare_task(void) {
  const void *const image = cox_dram().address;
  uint32_t header[IMAGE_HEADER_BYTES / sizeof(uint32_t)];
  memcpy(header, image, sizeof(header));
  const size_t image_bytes = IMAGE_HEADER_BYTES + (size_t)header[PAYLOAD_BYTES_WORD];
  size_t bytes = 0;
  if (failed("cox_workspace_bytes", cox_workspace_bytes(image, image_bytes, &bytes))) return 1;
  if (failed("cox_load", cox_load(&task, image, image_bytes, take(bytes), bytes))) return 1;
  windows[0].size = (size_t)cox_window_bytes(&task, 0);
  windows[0].address = take(windows[0].size);
  uint8_t *const input = windows[0].address;
  for (size_t i = 0; i < COPIED; ++i) input[i] = (uint8_t)(i * 7 + i / 256);
  return 0;
}

static int task_is_right(void) { return memcmp(windows[0].address, (const uint8_t *)windows[0].address + COPIED, COPIED) == 0; }

/* The kernel: sum = term + term. */
static cox_mx_stream mx_stream;
static cox_mx_tensor term, sum;
static float *values;

static int prepare_mx(void) {
  term.channels = CHANNELS;
  term.height = term.width = SIDE;
  sum = term;
  term.address = cox_bus_address(take((size_t)cox_mx_tensor_bytes(&term)));
  sum.address = cox_bus_address(take((size_t)cox_mx_tensor_bytes(&sum)));
  values = take(VALUES * sizeof(float));
  for (int i = 0; i < VALUES; ++i) values[i] = (float)(i % 64);
  if (failed("cox_mx_pack", cox_mx_pack(values, &term))) return 1;
  cox_mx_give(&term);
  if (failed("cox_mx_stream_init", cox_mx_stream_init(&mx_stream, take(STREAM_BYTES), STREAM_BYTES))) return 1;
  return failed("cox_mx_eladd", cox_mx_eladd(&mx_stream, &term, &term, &sum));
}

static int mx_is_right(void) {
  cox_mx_take(&sum);
  if (failed("cox_mx_unpack", cox_mx_unpack(&sum, values))) return 0;
  for (int i = 0; i < VALUES; ++i) {
    if (values[i] != (float)(i % 64 * 2)) return 0;
  }
  return 1;
}

/* The product: output = left * right. */
static cox_cube_stream cube_stream;
static uint16_t *left, *right;
static float *output;

static int element(int row, int column) { return (row * 3 + column) % 5 - 2; }

/* An integer in BF16, which is the upper half of a float. */
static uint16_t bfloat16(int number) {
  const float value = (float)number;
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return (uint16_t)(bits >> 16);
}

static int prepare_cube(void) {
  left = take(N * N * sizeof(uint16_t));
  right = take(N * N * sizeof(uint16_t));
  output = take(N * N * sizeof(float));
  for (int row = 0; row < N; ++row) {
    for (int column = 0; column < N; ++column) {
      left[row * N + column] = bfloat16(element(row, column));
      right[row * N + column] = bfloat16(element(column, row));
    }
  }
  cox_cube_give(cox_bus_address(left), N * N * sizeof(uint16_t));
  cox_cube_give(cox_bus_address(right), N * N * sizeof(uint16_t));
  cox_cube_gemm_arguments arguments = cox_cube_gemm_defaults();
  arguments.left = (cox_cube_matrix){.address = cox_bus_address(left), .rows = N, .columns = N};
  arguments.right = (cox_cube_matrix){.address = cox_bus_address(right), .rows = N, .columns = N};
  arguments.output = (cox_cube_matrix){.address = cox_bus_address(output), .rows = N, .columns = N};
  if (failed("cox_cube_stream_init", cox_cube_stream_init(&cube_stream, take(STREAM_BYTES), STREAM_BYTES, 1))) return 1;
  return failed("cox_cube_gemm", cox_cube_gemm(&cube_stream, &arguments));
}

/* Checks an element in each of CHECKED rows, in all parts of the output. */
static int cube_is_right(void) {
  cox_cube_take(cox_bus_address(output), N * N * sizeof(float));
  for (int i = 0; i < CHECKED; ++i) {
    const int row = i * (N - 1) / (CHECKED - 1);
    const int column = (i * 37 + 11) % N;
    int expected = 0;
    for (int k = 0; k < N; ++k) expected += element(row, k) * element(column, k);
    if (output[row * N + column] != (float)expected) return 0;
  }
  return 1;
}

static int verdict(const char *name, int is_right) {
  printf("%s: %s\n", name, is_right ? "right" : "WRONG");
  return is_right;
}

int three_engines(void) {
  next = (uintptr_t)cox_dram().address + IMAGE_ROOM;
  const cox_options options = COX_OPTIONS;
  if (failed("cox_open", cox_open(&options))) return 1;
  if (failed("cox_mx_open", cox_mx_open()) || failed("cox_tile_open", cox_tile_open()) || failed("cox_cube_open", cox_cube_open()))
    return 1;
  if (prepare_task() || prepare_mx() || prepare_cube()) return 1;

  uint32_t product = 0, addition = 0, run = 0;
  if (failed("cox_cube_submit", cox_cube_submit(&cube_stream, &product))) return 1;
  if (failed("cox_mx_submit", cox_mx_submit(&mx_stream, &addition))) return 1;
  if (failed("cox_start", cox_start(&task, windows, NULL, &run))) return 1;
  cox_report report;
  if (failed("cox_wait", cox_wait(run, &report))) return 1;
  if (failed("cox_mx_wait", cox_mx_wait(addition, 0)) || failed("cox_cube_wait", cox_cube_wait(product, 0))) return 1;

  int good = verdict("task", task_is_right());
  good &= verdict("mx", mx_is_right());
  good &= verdict("cube", cube_is_right());
  /* The task began last. If neither stream had ended then, all three worked at the same time. */
  good &= verdict("at the same time", report.start_cycle < cox_mx_end_cycle() && report.start_cycle < cox_cube_end_cycle());
  if (failed("cox_mx_close", cox_mx_close()) || failed("cox_cube_close", cox_cube_close()) || failed("cox_tile_close", cox_tile_close()))
    return 1;
  if (failed("cox_close", cox_close())) return 1;
  return good ? 0 : 1;
}
