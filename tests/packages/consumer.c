/* SPDX-License-Identifier: MIT */
/* The smallest program that uses both the tile cores and the MX engine: for the control core, and in a host process. */
#include <stdio.h>
#include <string.h>

#include "copy.h" /* the task image, which copies 48 bytes: copy, copy_bytes */
#include "coxswain/firmware/coxswain.h"
#include "coxswain/kernels/mx/coxswain_mx.h"

#define CHECK(CALL)                                                  \
  do {                                                               \
    const cox_status status = (CALL);                                \
    if (status.error != COX_OK) {                                    \
      printf("%s: %s\n", cox_error_name(status.error), status.what); \
      return (int)status.error;                                      \
    }                                                                \
  } while (0)

static const cox_options options = COX_OPTIONS;
static cox_task task;
static cox_mx_stream stream;
static float weights[16 * 16], values[16];

int main(void) {
  char *const dram = (char *)(uintptr_t)cox_dram_base();
  char *const data = dram + 0x20000;
  const cox_window windows[COX_WINDOWS] = {{data, 128}};
  const uint64_t base = cox_dram_base() + 0x30000;
  const cox_mx_conv_act_arguments arguments = {.input = {base, 16, 1, 1},
                                               .output = {base + 0x1000, 16, 1, 1},
                                               .weights = base + 0x2000,
                                               .kernel = 1,
                                               .stride = 1,
                                               .activation = COX_MX_RELU};
  for (int i = 0; i < 16; ++i) weights[17 * i] = 2, values[i] = (float)(i - 8);

  CHECK(cox_open(&options));
  CHECK(cox_tile_open());
  CHECK(cox_load(&task, memcpy(dram, copy, copy_bytes), copy_bytes, dram + 0x10000, 0x10000));
  strcpy(data, "copied by a tile core");
  CHECK(cox_run(&task, windows, 0, NULL));
  CHECK(cox_mx_open());
  CHECK(cox_mx_pack_weights(1, 16, 16, weights, NULL, arguments.weights));
  CHECK(cox_mx_stream_init(&stream, data + 0x4000, 1024));
  CHECK(cox_mx_conv_act(&stream, &arguments));
  CHECK(cox_mx_pack(values, &arguments.input));
  cox_mx_give(&arguments.input);
  CHECK(cox_mx_run(&stream, 0));
  cox_mx_take(&arguments.output);
  CHECK(cox_mx_unpack(&arguments.output, values));
  printf("%s, ReLU(2 * 7) = %ld, ReLU(2 * -8) = %ld\n", data + 64, (long)values[15], (long)values[0]);
  return 0;
}
