/* SPDX-License-Identifier: MIT */
/*
 * Coxswain for C programs: run tasks of tile instructions from an application with its own main (docs/jobs.md, From an application).
 *
 * hal/cox_accelerator.h has the rules for memory and threads. Images, workspaces and windows lie in DRAM. They must stay there, unchanged,
 * as long as the comment of the function says.
 */
#ifndef FIRMWARE_COXSWAIN_H
#define FIRMWARE_COXSWAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"
#include "coxswain/hal/cox_accelerator.h"
#include "coxswain/hal/cox_submission.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COX_WINDOWS 4u
#define COX_IMAGE_ALIGNMENT 16u
#define COX_WORKSPACE_ALIGNMENT 8u
#define COX_CANNOT_COUNT UINT64_MAX

/* A loaded task. The firmware keeps its record of the task in `opaque`. */
typedef struct cox_task {
  uint64_t opaque[128];
} cox_task;

/* Memory that a base address register points at while a task runs, aligned to 8 bytes. `address` is NULL if the caller
 * gives no such window. */
typedef struct cox_window {
  void *address;
  size_t size;
} cox_window;

typedef struct cox_tensor {
  bool output;
  bool padded;       /* true: each pixel's channels are padded to a multiple of 8 bytes; false: no gaps. The layout is NHWC */
  uint8_t format;    /* 0 INT4, 1 INT8, 2 INT16, 3 FP16, 4 BF16, 5 INT32, 6 FP32 */
  uint32_t shape[4]; /* N, C, H, W */
  uint32_t window;
  uint64_t offset; /* bytes from the window's base */
  uint64_t size;   /* bytes */
} cox_tensor;

typedef struct cox_report {
  uint64_t start_cycle, end_cycle; /* device time */
  /* Instructions of the control core from first dispatch to last completion. COX_CANNOT_COUNT if the board cannot count them. */
  uint64_t control_instructions;
  uint32_t accelerator_instructions; /* number of instructions dispatched, including configurations */
  uint8_t first_core, cores;         /* the run's first tile core, and its number of tile cores */
  uint8_t retried;                   /* number of times that the run began again */
} cox_report;

/* Opens the tile engine and brings up its queues. Call it after cox_open() and before the functions below. Errors: not_ready ("cox_open")
 * before cox_open(); not_owner ("tile engine") if it is open already. */
cox_status cox_tile_open(void);
/* Closes the tile engine. Loaded tasks stay usable. Errors: not_ready ("cox_tile_open") if it is not open; not_ready ("runs") if cox_wait()
 * has not returned for a run. */
cox_status cox_tile_close(void);

/* Writes the size of the workspace that cox_load() needs for an image to `*bytes`. Checks the image's header and FlatBuffer, not its
 * instructions. */
cox_status cox_workspace_bytes(const void *image, size_t image_bytes, size_t *bytes);

/* Checks a whole image and makes a task of it in `*task`. The image is aligned to COX_IMAGE_ALIGNMENT, the workspace to
 * COX_WORKSPACE_ALIGNMENT. Both must stay unchanged as long as the task is used. */
cox_status cox_load(cox_task *task, const void *image, size_t image_bytes, void *workspace, size_t workspace_bytes);

/* Finds a tensor by name, and writes to `*tensor` its window and the position of its bytes in the window. */
cox_status cox_find_tensor(const cox_task *task, const char *name, cox_tensor *tensor);

/* The bytes that window `index` must have; 0: the task has no such window. */
uint64_t cox_window_bytes(const cox_task *task, uint32_t index);

/* Runs a loaded task to its end, or for `time_limit_us` microseconds (0: 10 s). First writes the task's constants into the windows. Makes
 * the core's writes to input tensors visible to the accelerator, and the accelerator's writes to output tensors visible to the core.
 * Until the run has ended, the program must not write to windows that the task writes, nor to the 32-byte cache lines at their ends.
 * `report` may be NULL. */
cox_status cox_run(cox_task *task, const cox_window windows[COX_WINDOWS], uint32_t time_limit_us, cox_report *report);

/* Loads an image, runs the task once and forgets it, for programs that lay out no memory. Image and windows may lie in any memory of the
 * core and need no alignment: the function copies them to `memory`, and after a run that succeeded it copies each window that the task has
 * changed back. It opens the tile engine if it is closed, and then closes it again. Errors, with the windows unchanged: not_ready
 * ("cox_open"); invalid_argument ("image", "windows"; "memory" if it is not in DRAM); no_room ("memory", `limit` the bytes that it needs at
 * least); those of cox_load() and cox_run(). */
cox_status cox_run_once(const void *image, size_t image_bytes, const cox_window windows[COX_WINDOWS], cox_memory memory);

/* Options of a run. cox_run() uses zero for all except the time limit. */
typedef struct cox_run_options {
  uint32_t time_limit_us; /* time limit of each attempt; 0: 10 s */
  uint8_t core_mask;      /* bit c: the run may use tile core c; 0: it may use all */
  uint8_t retries;        /* how often the run may begin again after a transient fault, if the task can begin again */
} cox_run_options;

/* cox_run() in two steps, so that several tasks can run at the same time (hal/cox_submission.h). cox_start() returns when the task has
 * begun, and writes the handle of the run to `*run`. cox_wait() waits until the run has ended; the run's time limit bounds the wait. Errors
 * of cox_start(), with nothing changed: no_room, if the task must wait until another task has ended; no_room ("submissions") while another
 * thread restarts a run. The task, its windows and its workspace are in use until a wait has returned the outcome. `options` may be NULL.
 */
cox_status cox_start(cox_task *task, const cox_window windows[COX_WINDOWS], const cox_run_options *options, cox_handle *run);
cox_status cox_wait(cox_handle run, cox_report *report);

/* Stops a run, which ends with error cancelled. The caller must still wait for it. */
cox_status cox_cancel(cox_handle run);

#ifdef __cplusplus
}
#endif
#endif
