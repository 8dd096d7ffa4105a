/* SPDX-License-Identifier: MIT */
/*
 * A non-secure application of the secure firmware (README.md). It runs the task image at the base of its DRAM through the entries of
 * cox_service.h, and checks that the output repeats the input. Then it shows what the firmware refuses. Last, if the word behind the
 * image's 1 MiB is not 0, it reads the secure address in that word, which is a SecureFault.
 */
#include <stdio.h>
#include <string.h>

#include "board_map.h"
#include "coxswain/firmware/service/cox_service.h"

#define IMAGE ((const void *)BOARD_DRAM_BASE)
#define SECRET ((volatile const uint32_t *)(BOARD_DRAM_BASE + COX_SERVICE_IMAGE_BYTES))
#define WINDOW ((unsigned char *)(BOARD_DRAM_BASE + 2 * COX_SERVICE_IMAGE_BYTES))
#define SECURE_MEMORY ((void *)BOARD_SECURE_ADDRESS)

enum { IMAGE_HEADER_BYTES = 16, PAYLOAD_BYTES_WORD = 2 };

static int failed;

static void expect(const char *what, uint32_t error, uint32_t expected) {
  printf("%s: %s\n", what, cox_error_name(error));
  if (error != expected) failed = 1;
}

int main(void) {
  uint32_t header[IMAGE_HEADER_BYTES / sizeof(uint32_t)];
  memcpy(header, IMAGE, sizeof(header));
  const uint32_t image_bytes = IMAGE_HEADER_BYTES + header[PAYLOAD_BYTES_WORD];

  uint32_t task = 0;
  expect("load", cox_service_load(IMAGE, image_bytes, &task), COX_OK);
  static cox_service_status status;
  expect("status", cox_service_status_of(task, &status), COX_OK);
  const uint32_t half = status.window_bytes[0] / 2;
  for (uint32_t i = 0; i < half; ++i) WINDOW[i] = (unsigned char)(i * 7 + i / 256);
  cox_service_window windows[COX_SERVICE_WINDOWS] = {{WINDOW, status.window_bytes[0]}};
  expect("run", cox_service_run(task, windows, 0), COX_OK);
  if (half == 0 || memcmp(WINDOW, WINDOW + half, half) != 0) failed = 1;
  printf("%lu bytes are %s\n", (unsigned long)half, failed ? "not copied" : "copied");

  expect("load of a secure image", cox_service_load(SECURE_MEMORY, image_bytes, &task), COX_ERROR_INVALID_ARGUMENT);
  expect("load with a secure result", cox_service_load(IMAGE, image_bytes, SECURE_MEMORY), COX_ERROR_INVALID_ARGUMENT);
  expect("load of a range that leaves non-secure memory", cox_service_load(WINDOW, UINT32_MAX, &task), COX_ERROR_INVALID_ARGUMENT);
  expect("load of half an image", cox_service_load(IMAGE, image_bytes / 2, &task), COX_ERROR_IMAGE_TRUNCATED);
  windows[0].address = SECURE_MEMORY;
  expect("run with a secure window", cox_service_run(task, windows, 0), COX_ERROR_INVALID_ARGUMENT);
  windows[0] = (cox_service_window){WINDOW, half};
  expect("run with a small window", cox_service_run(task, windows, 0), COX_ERROR_WINDOW_TOO_SMALL);
  expect("run of no task", cox_service_run(COX_SERVICE_TASKS, windows, 0), COX_ERROR_INVALID_ARGUMENT);
  expect("run with secure windows", cox_service_run(task, SECURE_MEMORY, 0), COX_ERROR_INVALID_ARGUMENT);
  expect("status to secure memory", cox_service_status_of(task, SECURE_MEMORY), COX_ERROR_INVALID_ARGUMENT);
  expect("status", cox_service_status_of(task, &status), COX_OK);
  printf("%lu runs, %lu failures\n", (unsigned long)status.runs, (unsigned long)status.failures);
  expect("unload", cox_service_unload(task), COX_OK);
  expect("run of a task that was unloaded", cox_service_run(task, windows, 0), COX_ERROR_INVALID_ARGUMENT);
  printf(failed ? "FAILED\n" : "all as expected\n");

  if (*SECRET != 0) {
    const uint32_t stolen = *(volatile const uint32_t *)(uintptr_t)*SECRET;
    printf("read %08lx from secure memory\n", (unsigned long)stolen);
    return 1;
  }
  return failed;
}
