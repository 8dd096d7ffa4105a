/* SPDX-License-Identifier: MIT */
#ifndef TESTS_HOST_EXAMPLE_H
#define TESTS_HOST_EXAMPLE_H

#include "coxswain/host/coxswain_host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Loads a task image, runs it on a window that `data` fills, and writes the window back to `data`. */
cox_status run_task(cox_host *host, const void *image, size_t image_bytes, void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
