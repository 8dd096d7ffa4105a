/* SPDX-License-Identifier: MIT */
/* The application: a task on a tile core, and a layer on the MX engine. */
#include <stdio.h>

#include "copy.h" /* made of copy.jsonl, which copies 48 bytes: copy, copy_bytes */
#include "coxswain/firmware/coxswain.h"
#include "coxswain/kernels/mx/coxswain_mx.h"

enum { CHANNELS = 16 };

/* Copies the first half of a text to its second half with the tile core. */
static cox_status copy_text(char text[128]) {
  const cox_window windows[COX_WINDOWS] = {{text, 128}};
  return cox_run_once(copy, copy_bytes, windows, cox_dram());
}

/* Replaces each value v by max(2 * v, 0): a convolution of 1 x 1 with ReLU. */
static cox_status double_and_clamp(float values[CHANNELS]) {
  static float weights[CHANNELS * CHANNELS];
  const cox_mx_conv_act_arguments layer = {
      .input = {0, CHANNELS, 1, 1}, .output = {0, CHANNELS, 1, 1}, .kernel = 1, .stride = 1, .activation = COX_MX_RELU};
  for (int i = 0; i < CHANNELS; ++i) weights[(CHANNELS + 1) * i] = 2;
  return cox_mx_conv_act_once(&layer, weights, NULL, values, values, cox_dram());
}

int main(void) {
  const cox_options options = COX_OPTIONS;
  char text[128] = "copied by a tile core";
  float values[CHANNELS];
  for (int i = 0; i < CHANNELS; ++i) values[i] = (float)(i - CHANNELS / 2);
  printf("DRAM: %lu MiB at 0x%08lx\n", (unsigned long)(cox_dram_bytes() >> 20), (unsigned long)cox_dram_base());
  cox_status status = cox_open(&options);
  if (status.error == COX_OK) status = copy_text(text);
  if (status.error == COX_OK) status = double_and_clamp(values);
  if (status.error != COX_OK) {
    printf("%s: %s\n", cox_error_name(status.error), status.what);
    return (int)status.error;
  }
  printf("%s\nReLU(2 * 7) = %ld, ReLU(2 * -8) = %ld\n", text + 64, (long)values[CHANNELS - 1], (long)values[0]);
  return 0;
}
