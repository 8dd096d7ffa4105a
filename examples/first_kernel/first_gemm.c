/* SPDX-License-Identifier: MIT */
/* The first kernel call of the matrix unit in C (docs/kernels/cube.md): C = A * B, 128 x 64 by 64 x 256, BF16 in and FP32 out. */
#include <stdio.h>
#include <string.h>

#include "coxswain/kernels/cube/coxswain_cube.h"

enum { M = 128, K = 64, N = 256 };

static _Alignas(32) uint8_t stream_memory[4096];

static int failed(const char *step, cox_status status) {
  if (status.error == 0) return 0;
  printf("%s: %s: %s is %ld, limit %ld\n", step, cox_error_name(status.error), status.what, (long)status.value, (long)status.limit);
  return 1;
}

/* An integer from -2 to 2 in BF16, which is the upper half of a float. */
static uint16_t bfloat16(unsigned number) {
  const float value = (float)(number % 5) - 2;
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return (uint16_t)(bits >> 16);
}

int main(void) {
  /* Done once: open the accelerator and the engine. */
  const cox_options options = COX_OPTIONS;
  if (failed("cox_open", cox_open(&options))) return 1;
  if (failed("cox_cube_open", cox_cube_open())) return 1;

  /* The addresses of A, B and C leave 32 KiB each for A and B. */
  const uint64_t base = cox_dram_base();
  uint16_t *const a = cox_core_address(base);
  uint16_t *const b = cox_core_address(base + 0x8000);
  const float *const c = cox_core_address(base + 0x10000);

  /* Done once: build the stream. Kernels write slots into it. */
  cox_cube_stream stream;
  if (failed("stream", cox_cube_stream_init(&stream, stream_memory, sizeof(stream_memory), 1))) return 1;
  cox_cube_gemm_arguments arguments = cox_cube_gemm_defaults(); /* BF16 in and FP32 out by default */
  arguments.left.address = base;
  arguments.left.rows = M;
  arguments.left.columns = K;
  arguments.right.address = base + 0x8000;
  arguments.right.rows = K;
  arguments.right.columns = N;
  arguments.output.address = base + 0x10000;
  arguments.output.rows = M;
  arguments.output.columns = N;
  if (failed("gemm", cox_cube_gemm(&stream, &arguments))) return 1;

  /* Done for each input: write A and B, run the stream, read C. */
  for (unsigned i = 0; i < M * K; ++i) a[i] = bfloat16(i);
  for (unsigned i = 0; i < K * N; ++i) b[i] = bfloat16(i / 7);
  cox_cube_give(base, 0x10000);
  if (failed("run", cox_cube_run(&stream, 0))) return 1;
  cox_cube_take(base + 0x10000, M * N * sizeof(float));

  printf("c[0] = %ld\n", (long)c[0]);
  printf("c[1000] = %ld\n", (long)c[1000]);
  printf("c[%d] = %ld\n", M * N - 1, (long)c[M * N - 1]);
  return 0;
}
