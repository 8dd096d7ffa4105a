/* SPDX-License-Identifier: MIT */
/* Copies in DRAM by the DMA engine (docs/dma.md, From C): cuts a part out of a picture and moves a block of weights, while the core does
 * other work. */
#include "examples/copies/copies.h"

#include <stdio.h>
#include <string.h>

#include "coxswain/hal/cox_accelerator.h"
#include "coxswain/hal/cox_dma.h"

enum { WIDTH = 1024, HEIGHT = 256, PART_WIDTH = 320, PART_HEIGHT = 200, LEFT = 104, TOP = 20, WEIGHTS = 100003 };

static int failed(const char *step, cox_status status) {
  if (status.error == 0) return 0;
  printf("%s: %s: %s, index %ld, value %ld, limit %ld\n", step, cox_error_name(status.error), status.what, (long)status.index,
         (long)status.value, (long)status.limit);
  return 1;
}

static const char *verdict(int right) { return right ? "right" : "wrong"; }

/* Memory of the program, in DRAM. */
static uint8_t *memory_at(uint64_t offset) { return (uint8_t *)cox_dram().address + offset; }

int copies(void) {
  uint8_t *const picture = memory_at(0), *const part = memory_at(1 << 20);
  uint8_t *const weights = memory_at((2 << 20) + 5), *const window = memory_at((3 << 20) + 13);
  for (long i = 0; i < (long)WIDTH * HEIGHT; ++i) picture[i] = (uint8_t)(i * 7 + i / 251);
  for (long i = 0; i < WEIGHTS; ++i) weights[i] = (uint8_t)(i * 3 + i / 253);

  const cox_options options = COX_OPTIONS;
  if (failed("cox_open", cox_open(&options)) || failed("cox_dma_open", cox_dma_open())) return 1;

  /* A list of two copies. The first has a row for each line of the part. */
  const cox_dma_copy both[2] = {{picture + (long)TOP * WIDTH + LEFT, part, PART_WIDTH, PART_HEIGHT, WIDTH, PART_WIDTH},
                                {weights, window, WEIGHTS, 1, 0, 0}};
  cox_dma_list list;
  if (failed("submit", cox_dma_submit(both, 2, 0, &list))) return 1;

  /* Other work while the engine moves. */
  long sum = 0, lines = 0;
  for (; lines < 8 && !cox_dma_has_ended(list); ++lines) {
    for (long i = 0; i < WIDTH; ++i) sum += picture[lines * WIDTH + i];
  }
  if (failed("wait", cox_dma_wait(list, 100000))) return 1;

  int right = 1;
  for (long line = 0; line < PART_HEIGHT; ++line) {
    right = right && memcmp(part + line * PART_WIDTH, picture + (TOP + line) * WIDTH + LEFT, PART_WIDTH) == 0;
  }
  printf("part of the picture: %s\n", verdict(right));
  printf("weights: %s\n", verdict(memcmp(window, weights, WEIGHTS) == 0));
  printf("other work meanwhile: %s\n", lines > 0 && sum != 0 ? "yes" : "no");

  /* What is wrong with a list is said before anything is copied. */
  const cox_dma_copy bad[2] = {{picture, part, 4096, 1, 0, 0}, {picture, part + 4095, 4096, 1, 0, 0}};
  const cox_status refused = cox_dma_submit(bad, 2, 0, &list);
  printf("refused: %s: %s, index %ld\n", cox_error_name(refused.error), refused.what, (long)refused.index);
  if (failed("cox_dma_close", cox_dma_close()) || failed("cox_close", cox_close())) return 1;
  return 0;
}
