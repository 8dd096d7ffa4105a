/* SPDX-License-Identifier: MIT */
/* The example of docs/host.md. */
#include "tests/host/example.h"

#include <string.h>

cox_status run_task(cox_host *host, const void *image, size_t image_bytes, void *data, size_t size) {
  uint64_t address = 0;
  cox_status status = cox_host_load(host, 0, image, image_bytes, COX_HOST_FOREVER);
  if (status.error == COX_OK) status = cox_host_allocate(host, size, &address);
  if (status.error != COX_OK) return status;
  const cox_host_window window = {address, size};
  memcpy(cox_host_memory(host, address, size), data, size);
  status = cox_host_run(host, 0, &window, 1, 1000000);
  memcpy(data, cox_host_memory(host, address, size), size);
  return status;
}
