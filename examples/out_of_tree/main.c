/* SPDX-License-Identifier: MIT */
/* The application: a task on a tile core, and a layer on the MX engine. */
#include <stdio.h>
#include <string.h>

#include "copy.h" /* made of copy.jsonl, which copies 48 bytes: copy, copy_bytes */
#include "coxswain/firmware/coxswain.h"
#include "coxswain/kernels/mx/coxswain_mx.h"

/* Places in DRAM, counted from its base. */
enum { TASK = 0, WORKSPACE = 0x10000, TEXT = 0x20000, INPUT = 0x30000, OUTPUT = 0x31000, WEIGHTS = 0x32000 };
enum { CHANNELS = 16 };

static const cox_options options = COX_OPTIONS;
static cox_task task;
static cox_mx_stream stream;
static uint64_t stream_memory[128];
static float weights[CHANNELS * CHANNELS], values[CHANNELS];

static char *dram(size_t offset) { return (char *)(uintptr_t)cox_dram_base() + offset; }

/* Copies a text with the tile core. */
static cox_status copy_text(void) {
  const cox_window windows[COX_WINDOWS] = {{dram(TEXT), 128}};
  memcpy(dram(TASK), copy, copy_bytes);
  strcpy(dram(TEXT), "copied by a tile core");
  cox_status status = cox_tile_open();
  if (status.error == COX_OK) status = cox_load(&task, dram(TASK), copy_bytes, dram(WORKSPACE), TEXT - WORKSPACE);
  if (status.error == COX_OK) status = cox_run(&task, windows, 0, NULL);
  return status;
}

/* Computes max(2 * v, 0) of each value: a convolution of 1 x 1 with ReLU. */
static cox_status double_and_clamp(void) {
  const uint64_t base = cox_dram_base();
  const cox_mx_conv_act_arguments arguments = {.input = {base + INPUT, CHANNELS, 1, 1},
                                               .output = {base + OUTPUT, CHANNELS, 1, 1},
                                               .weights = base + WEIGHTS,
                                               .kernel = 1,
                                               .stride = 1,
                                               .activation = COX_MX_RELU};
  for (int i = 0; i < CHANNELS; ++i) {
    weights[(CHANNELS + 1) * i] = 2;
    values[i] = (float)(i - CHANNELS / 2);
  }
  cox_status status = cox_mx_open();
  if (status.error == COX_OK) status = cox_mx_pack_weights(1, CHANNELS, CHANNELS, weights, NULL, arguments.weights);
  if (status.error == COX_OK) status = cox_mx_stream_init(&stream, stream_memory, sizeof(stream_memory));
  if (status.error == COX_OK) status = cox_mx_conv_act(&stream, &arguments);
  if (status.error == COX_OK) status = cox_mx_pack(values, &arguments.input);
  if (status.error != COX_OK) return status;
  cox_mx_give(&arguments.input);
  status = cox_mx_run(&stream, 0);
  if (status.error != COX_OK) return status;
  cox_mx_take(&arguments.output);
  return cox_mx_unpack(&arguments.output, values);
}

int main(void) {
  printf("DRAM: %lu MiB at 0x%08lx\n", (unsigned long)(cox_dram_bytes() >> 20), (unsigned long)cox_dram_base());
  cox_status status = cox_open(&options);
  if (status.error == COX_OK) status = copy_text();
  if (status.error == COX_OK) status = double_and_clamp();
  if (status.error != COX_OK) {
    printf("%s: %s\n", cox_error_name(status.error), status.what);
    return (int)status.error;
  }
  printf("%s\nReLU(2 * 7) = %ld, ReLU(2 * -8) = %ld\n", dram(TEXT) + 64, (long)values[CHANNELS - 1], (long)values[0]);
  return 0;
}
