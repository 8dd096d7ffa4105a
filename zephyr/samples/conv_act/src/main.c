/* SPDX-License-Identifier: MIT */
/* A convolution with ReLU on the MX engine, from a thread of Zephyr: y = ReLU(2 x). */
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include "coxswain/kernels/mx/coxswain_mx.h"

enum { CHANNELS = 16 };

int main(void) {
  static float weights[CHANNELS * CHANNELS], values[CHANNELS];
  const cox_options options = COX_OPTIONS;
  const cox_mx_conv_act_arguments layer = {
      .input = {0, CHANNELS, 1, 1}, .output = {0, CHANNELS, 1, 1}, .kernel = 1, .stride = 1, .activation = COX_MX_RELU};
  for (int i = 0; i < CHANNELS; ++i) {
    weights[(CHANNELS + 1) * i] = 2;
    values[i] = (float)(i - CHANNELS / 2);
  }
  cox_status status = cox_open(&options);
  if (status.error == COX_OK) status = cox_mx_conv_act_once(&layer, weights, NULL, values, values, cox_dram());
  if (status.error != COX_OK) {
    printk("%s: %s\n", cox_error_name(status.error), status.what);
    return 1;
  }
  printk("ReLU(2 * 7) = %d, ReLU(2 * -8) = %d\n", (int)values[CHANNELS - 1], (int)values[0]);
  return 0;
}
