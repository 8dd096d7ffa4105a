/* SPDX-License-Identifier: MIT */
/* The first kernel call in C (docs/kernels/mx.md): y = SiLU(2 x + 1), channel by channel, as a 1x1 convolution on the MX engine. */
#include <stdio.h>

#include "coxswain/kernels/mx/coxswain_mx.h"

enum { CHANNELS = 16, HEIGHT = 4, WIDTH = 4, PIXELS = HEIGHT * WIDTH };

static uint64_t stream_memory[128];
static float matrix[CHANNELS][CHANNELS];
static float biases[CHANNELS];
static float values[CHANNELS * PIXELS];

static int failed(const char *step, cox_status status) {
  if (status.error == 0) return 0;
  printf("%s: %s: %s is %ld, limit %ld\n", step, cox_error_name(status.error), status.what, (long)status.value, (long)status.limit);
  return 1;
}

int main(void) {
  /* Done once: open the accelerator and the engine. */
  const cox_options options = COX_OPTIONS;
  if (failed("cox_open", cox_open(&options))) return 1;
  if (failed("cox_mx_open", cox_mx_open())) return 1;

  /* The addresses are 4 KiB apart, more than each tensor needs. */
  const uint64_t base = cox_dram_base();
  const cox_mx_tensor input = {base, CHANNELS, HEIGHT, WIDTH};
  const cox_mx_tensor output = {base + 0x1000, CHANNELS, HEIGHT, WIDTH};
  const uint64_t weights = base + 0x2000;

  /* Done once: pack weights with 2 on the diagonal, and biases of 1. */
  for (int i = 0; i < CHANNELS; ++i) {
    matrix[i][i] = 2;
    biases[i] = 1;
  }
  if (failed("pack_weights", cox_mx_pack_weights(1, CHANNELS, CHANNELS, &matrix[0][0], biases, weights))) return 1;

  /* Done once: build the stream. Kernels append to it. */
  cox_mx_stream stream;
  if (failed("stream", cox_mx_stream_init(&stream, stream_memory, sizeof(stream_memory)))) return 1;
  cox_mx_conv_act_arguments arguments = {0};
  arguments.input = input;
  arguments.weights = weights;
  arguments.output = output;
  arguments.kernel = 1;
  arguments.stride = 1;
  arguments.activation = COX_MX_SILU;
  if (failed("conv_act", cox_mx_conv_act(&stream, &arguments))) return 1;

  /* Done for each input: pack it, run the stream, unpack the output. */
  for (int i = 0; i < CHANNELS * PIXELS; ++i) values[i] = (float)(i % PIXELS) / 8 - 1;
  if (failed("pack", cox_mx_pack(values, &input))) return 1;
  cox_mx_give(&input);
  if (failed("run", cox_mx_run(&stream, 0))) return 1;
  cox_mx_take(&output);
  if (failed("unpack", cox_mx_unpack(&output, values))) return 1;

  /* With weight 2 and bias 1, an input x gives SiLU(2x + 1). So -1 gives SiLU(-1), 0 gives SiLU(1), and 0.875 gives SiLU(2.75). */
  printf("y[0] = %ld / 1000\n", (long)(values[0] * 1000));
  printf("y[8] = %ld / 1000\n", (long)(values[8] * 1000));
  printf("y[15] = %ld / 1000\n", (long)(values[15] * 1000));
  return 0;
}
