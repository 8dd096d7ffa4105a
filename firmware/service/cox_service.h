/* SPDX-License-Identifier: MIT */
/*
 * Tasks for a non-secure application: the firmware is secure, and the application calls it through these entries (docs/trustzone.md).
 * Pointers are to non-secure memory; anything else is refused before it is touched. The firmware copies images and windows, so the
 * accelerator accesses only secure memory, and what the application changes during a call has no effect on checks. Each function returns an
 * error of enum cox_error. COX_ERROR_NOT_READY: a call is in progress, which an interrupt of the application has interrupted.
 */
#ifndef FIRMWARE_SERVICE_COX_SERVICE_H
#define FIRMWARE_SERVICE_COX_SERVICE_H

#include <stdint.h>

#include "coxswain/base/cox_status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COX_SERVICE_TASKS 4u
#define COX_SERVICE_WINDOWS 4u
#define COX_SERVICE_IMAGE_BYTES 0x100000u   /* most bytes of an image */
#define COX_SERVICE_WINDOWS_BYTES 0xe00000u /* most bytes of a task's windows together */

/* Memory that a base address register of the task points at. */
typedef struct cox_service_window {
  void *address;
  uint32_t bytes;
} cox_service_window;

typedef struct cox_service_status {
  uint32_t window_bytes[COX_SERVICE_WINDOWS]; /* bytes that each window must have; 0: the task has no such window */
  uint32_t runs, failures;                    /* since the task was loaded */
  uint32_t last_error;                        /* enum cox_error of the last run */
  uint32_t last_cycles;                       /* device cycles of the last run that succeeded */
} cox_service_status;

/* Checks the image of a task and writes the task's number to `*task`. Errors: those of cox_load(); invalid_argument for a pointer;
 * no_room for too large an image, or if COX_SERVICE_TASKS tasks are loaded. */
uint32_t cox_service_load(const void *image, uint32_t image_bytes, uint32_t *task);

/* Runs a task to its end, or for `time_limit_us` microseconds (0: 10 s). `windows` has COX_SERVICE_WINDOWS elements. Errors: those of
 * cox_run(); invalid_argument for a pointer or a number that is not a task's. */
uint32_t cox_service_run(uint32_t task, const cox_service_window *windows, uint32_t time_limit_us);

/* Writes what is known of a task to `*status`. Errors: invalid_argument, as above. */
uint32_t cox_service_status_of(uint32_t task, cox_service_status *status);

/* Forgets a task. Error: invalid_argument for a number that is not a task's. */
uint32_t cox_service_unload(uint32_t task);

#ifdef __cplusplus
}
#endif
#endif
