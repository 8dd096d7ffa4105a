/* SPDX-License-Identifier: MIT */
/*
 * The C interface of the accelerator model, version 2. The DMA engine of the SoC (docs/dma.md) belongs to the model.
 *
 * The QEMU bridge (sim/qemu) opens libcox_model.so at run time and calls these functions; boards/native links them. Nothing
 * else of the model is visible to either. The interface is C so that QEMU need not be rebuilt when the model changes.
 *
 * Time: all times are device cycles since power-on, at 1 GHz: one cycle is one nanosecond of QEMU's virtual time. The host
 * (QEMU or the native board) owns the clock. Its calls tell the model the time, and the model never runs ahead of this time.
 *
 * Threads: all calls come from one thread at a time; callbacks happen inside calls.
 */
#ifndef SIM_MODEL_COX_MODEL_H
#define SIM_MODEL_COX_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raise it with every change that a host must know: declarations here, and ranges of registers that the host must give to the model. */
#define COX_MODEL_ABI 3u
#define COX_MODEL_NEVER UINT64_MAX
/* Offset of the DMA engine's registers. Smaller offsets are those of the accelerator. */
#define COX_MODEL_DMA_OFFSET 0x100000u

#if defined(COX_MODEL_BUILD)
#define COX_MODEL_API __attribute__((visibility("default")))
#else
#define COX_MODEL_API
#endif

typedef struct cox_model cox_model;

enum cox_log_level { COX_LOG_ERROR = 0, COX_LOG_WARNING = 1, COX_LOG_INFO = 2 };

/* The callbacks that the host gives to the model. Every callback but `log` is required. */
typedef struct cox_host {
  uint32_t abi;  /* COX_MODEL_ABI */
  uint32_t size; /* sizeof(cox_host) */
  void *opaque;  /* passed to each callback */

  /* Returns a pointer to `size` bytes of guest memory at bus address `address`, valid until the next call into the model,
   * or NULL if that range is not plain memory (the model then uses `read` and `write`). */
  void *(*map)(void *opaque, uint64_t address, uint64_t size);
  /* DMA by copy. Both return 0, or non-zero for a bus error. */
  int (*read)(void *opaque, uint64_t address, void *data, uint64_t size);
  int (*write)(void *opaque, uint64_t address, const void *data, uint64_t size);
  /* Sets the level of interrupt line `line` (0: completion queues, 1: faults, 2: DMA engine). */
  void (*interrupt)(void *opaque, uint32_t line, int level);
  /* Logs one line of text, which has no newline at its end. The pointer to this callback may be NULL. */
  void (*log)(void *opaque, int level, const char *text);
} cox_host;

/* The interface version of the library: the host refuses a library whose number is not COX_MODEL_ABI. */
COX_MODEL_API uint32_t cox_model_abi(void);

/*
 * Creates a model. `options` is NULL, or the text of a JSON object (see docs/model.md): "geometry" (parameters), "events" (path of
 * the event log to write), "energy" (path of the file to write), "durations" (path of a replay file), "hazards" (true/false).
 * Returns NULL on an error, with a sentence in `error` (of `error_size` bytes, always terminated).
 */
COX_MODEL_API cox_model *cox_model_create(const cox_host *host, const char *options, char *error, size_t error_size);
/* Completes the logs that are still open, and frees the model. */
COX_MODEL_API void cox_model_destroy(cox_model *model);
/* Resets registers, queues, L2 and all engine state, as at power-on. */
COX_MODEL_API void cox_model_reset(cox_model *model, uint64_t now);

/*
 * Register access: 32-bit, naturally aligned, at a byte offset within the 1 MiB of the accelerator, or from COX_MODEL_DMA_OFFSET on.
 * Both functions return 0 on success. They return non-zero and write a sentence to the log if the access has another size or alignment,
 * if there is no such register, or if the register refuses the access. The bus master then gets a bus fault.
 */
COX_MODEL_API int cox_model_read(cox_model *model, uint64_t now, uint32_t offset, uint32_t size, uint32_t *value);
COX_MODEL_API int cox_model_write(cox_model *model, uint64_t now, uint32_t offset, uint32_t size, uint32_t value);

/* Processes every event with time <= now, in time order. */
COX_MODEL_API void cox_model_advance(cox_model *model, uint64_t now);
/* The time of the next event, or COX_MODEL_NEVER. The host calls `advance` at that time, at the latest; the value may change with every
 * read, write, advance or reset, so the host asks again after each. */
COX_MODEL_API uint64_t cox_model_next_event(const cox_model *model);

/* The number of cores, and the L2 buffer of each (for the debugging window of the memory map). */
COX_MODEL_API uint32_t cox_model_cores(const cox_model *model);
COX_MODEL_API void *cox_model_l2(cox_model *model, uint32_t core, uint64_t *size);

#ifdef __cplusplus
}
#endif
#endif
