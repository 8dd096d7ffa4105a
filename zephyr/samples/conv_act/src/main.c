/* SPDX-License-Identifier: MIT */
/* A convolution with ReLU on the MX engine, from a thread of Zephyr: y = ReLU(2 x). */
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include "coxswain/kernels/mx/coxswain_mx.h"

enum { CHANNELS = 16 };

static const cox_options options = COX_OPTIONS;
static cox_mx_stream stream;
static float weights[CHANNELS * CHANNELS], values[CHANNELS];

static int failed(const char *step, cox_status status) {
  if (status.error == COX_OK) return 0;
  printk("%s: %s: %s\n", step, cox_error_name(status.error), status.what);
  return 1;
}

int main(void) {
  const uint64_t base = cox_dram_base();
  const cox_mx_conv_act_arguments arguments = {.input = {base, CHANNELS, 1, 1},
                                               .output = {base + 0x1000, CHANNELS, 1, 1},
                                               .weights = base + 0x2000,
                                               .kernel = 1,
                                               .stride = 1,
                                               .activation = COX_MX_RELU};
  for (int i = 0; i < CHANNELS; ++i) {
    weights[(CHANNELS + 1) * i] = 2;
    values[i] = (float)(i - CHANNELS / 2);
  }
  if (failed("cox_open", cox_open(&options)) || failed("cox_mx_open", cox_mx_open())) return 1;
  if (failed("weights", cox_mx_pack_weights(1, CHANNELS, CHANNELS, weights, NULL, arguments.weights))) return 1;
  if (failed("stream", cox_mx_stream_init(&stream, (void *)(uintptr_t)(base + 0x4000), 1024))) return 1;
  if (failed("conv_act", cox_mx_conv_act(&stream, &arguments)) || failed("pack", cox_mx_pack(values, &arguments.input))) return 1;
  cox_mx_give(&arguments.input);
  if (failed("run", cox_mx_run(&stream, 0))) return 1;
  cox_mx_take(&arguments.output);
  if (failed("unpack", cox_mx_unpack(&arguments.output, values))) return 1;
  printk("ReLU(2 * 7) = %d, ReLU(2 * -8) = %d\n", (int)values[CHANNELS - 1], (int)values[0]);
  return 0;
}
