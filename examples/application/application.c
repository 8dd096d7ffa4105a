/* SPDX-License-Identifier: MIT */
/*
 * An application with its own main. It runs the task image at the base of DRAM once, with zeros as input. Then it prints how many
 * instructions the accelerator was given and how many device cycles the run took. A debugger or QEMU has put the image there (README.md).
 * The application may use the rest of DRAM.
 */
#include <stdio.h>
#include <string.h>

#include "coxswain/firmware/coxswain.h"

enum { IMAGE_HEADER_BYTES = 16, PAYLOAD_BYTES_WORD = 2 };

static uintptr_t align(uintptr_t address) { return (address + COX_ALIGNMENT - 1) / COX_ALIGNMENT * COX_ALIGNMENT; }

static int report(const char *step, cox_status status) {
  if (status.error == 0) return 0;
  printf("%s: %s: %s, index %ld\n", step, cox_error_name(status.error), status.what, (long)status.index);
  return 1;
}

int main(void) {
  const uintptr_t base = (uintptr_t)cox_dram().address;
  const uintptr_t end = base + (uintptr_t)cox_dram_bytes();
  uint32_t header[IMAGE_HEADER_BYTES / sizeof(uint32_t)];
  memcpy(header, (const void *)base, sizeof(header));
  const size_t image_bytes = IMAGE_HEADER_BYTES + (size_t)header[PAYLOAD_BYTES_WORD];
  if (image_bytes > end - base) {
    printf("no task image at the base of DRAM\n");
    return 1;
  }

  static cox_task task;
  size_t workspace_bytes = 0;
  const cox_options options = COX_OPTIONS;
  if (report("cox_open", cox_open(&options))) return 1;
  if (report("cox_tile_open", cox_tile_open())) return 1;
  if (report("cox_workspace_bytes", cox_workspace_bytes((const void *)base, image_bytes, &workspace_bytes))) return 1;
  uintptr_t top = align(base + image_bytes);
  if (workspace_bytes > end - top) {
    printf("no room for the workspace\n");
    return 1;
  }
  if (report("cox_load", cox_load(&task, (const void *)base, image_bytes, (void *)top, workspace_bytes))) return 1;
  top = align(top + workspace_bytes);

  cox_window windows[COX_WINDOWS] = {{0}};
  for (uint32_t i = 0; i < COX_WINDOWS; ++i) {
    const uint64_t bytes = cox_window_bytes(&task, i);
    if (bytes == 0) continue;
    if (top > end || bytes > end - top) {
      printf("no room for window %lu\n", (unsigned long)i);
      return 1;
    }
    windows[i].address = (void *)top;
    windows[i].size = (size_t)bytes;
    memset(windows[i].address, 0, windows[i].size);
    top = align(top + (uintptr_t)bytes);
  }
  cox_report cost;
  if (report("cox_run", cox_run(&task, windows, 0, &cost))) return 1;
  printf("%lu instructions in %lu cycles\n", (unsigned long)cost.accelerator_instructions,
         (unsigned long)(cost.end_cycle - cost.start_cycle));
  return 0;
}
