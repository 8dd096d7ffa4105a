/* SPDX-License-Identifier: MIT */
/*
 * What a host must know of a task image to run it: its tensors and its windows (docs/task-image.md).
 */
#ifndef HOST_COXSWAIN_TASK_H
#define HOST_COXSWAIN_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A task image that was read. */
typedef struct cox_host_task cox_host_task;

#define COX_HOST_TILE_CORES UINT32_MAX
#define COX_HOST_DIMENSIONS 4

typedef struct cox_host_task_info {
  const char *name; /* may be empty */
  uint32_t engine;  /* number of the engine (device/engines.h) that runs the task's stream; COX_HOST_TILE_CORES: a task of tile cores */
  uint32_t cores;   /* tile cores that it needs */
  uint32_t tensors; /* their number */
  uint32_t windows; /* their number */
  uint32_t instructions;    /* of a task of tile cores */
  uint32_t reserved;        /* 0 */
  uint64_t workspace_bytes; /* memory that the firmware keeps while the task is loaded */
} cox_host_task_info;

typedef struct cox_host_task_tensor {
  const char *name;
  uint32_t is_output;
  uint32_t format;                     /* enum Format of firmware/image/task.fbs */
  uint32_t shape[COX_HOST_DIMENSIONS]; /* N, C, H, W; the bytes are in the order N, H, W, C */
  uint32_t window;
  uint32_t is_padded; /* the channels of a pixel take a multiple of 8 bytes */
  uint64_t offset;    /* from the window's base */
  uint64_t size;      /* bytes */
} cox_host_task_tensor;

typedef struct cox_host_task_window {
  uint32_t index;
  uint32_t is_writable;
  uint32_t is_in_image; /* the window is a constant in the image: a run needs no memory for it */
  uint32_t reserved;    /* 0 */
  uint64_t size;
} cox_host_task_window;

/*
 * Reads `bytes` bytes of a task image. Copies what it needs, so the image may go. Errors: those of the image's header and contents
 * (docs/task-image.md); no_room ("memory of the host").
 */
cox_status cox_host_task_read(const void *image, size_t bytes, cox_host_task **task);
void cox_host_task_free(cox_host_task *task);

/* What these return lasts as long as the task. Error: invalid_argument ("number") if there is no such tensor or window. */
cox_status cox_host_task_get(const cox_host_task *task, cox_host_task_info *info);
cox_status cox_host_task_get_tensor(const cox_host_task *task, uint32_t number, cox_host_task_tensor *tensor);
cox_status cox_host_task_get_window(const cox_host_task *task, uint32_t number, cox_host_task_window *window);

#ifdef __cplusplus
}
#endif

#endif
