/* SPDX-License-Identifier: MIT */
/*
 * The host library (docs/host.md): submits jobs to the firmware of a control core, waits for them and reads their results.
 *
 * All functions may be called by several threads at the same time, except cox_host_open() and cox_host_close() of one link. Addresses are
 * bus addresses, as the control core and the accelerator use them. Time limits are in microseconds of the host; COX_HOST_FOREVER is no
 * limit. A status has `error` 0 (COX_OK) or says what is wrong (base/cox_status.h).
 */
#ifndef HOST_COXSWAIN_HOST_H
#define HOST_COXSWAIN_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"
#include "coxswain/base/version.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COX_HOST_FOREVER UINT32_MAX
#define COX_HOST_NOTHING_RESERVED UINT32_MAX

/* A link to one control core. */
typedef struct cox_host cox_host;

/* How the library reaches a control core. All of it must stay valid until cox_host_close(). */
typedef struct cox_host_transport {
  void *dram; /* the control core's DRAM in this process, aligned to 64 bytes; coherent with what the control core reads */
  uint64_t dram_bytes;
  uint64_t dram_base;         /* bus address of dram[0] */
  void *opaque;               /* first argument of the functions */
  void (*ring)(void *opaque); /* rings the control core; any thread calls it, and it does not block */
  /* Waits until the control core has rung, and clears the ring. Returns 1; or 0 after `limit_us` or wake(); or -1 if the control core is
   * gone. One thread of the library calls it, and cox_host_open(). */
  int (*wait)(void *opaque, uint32_t limit_us);
  void (*wake)(void *opaque);  /* lets wait() return soon */
  void (*close)(void *opaque); /* called at the end of cox_host_close(), and if cox_host_open() fails; may be null */
} cox_host_transport;

typedef struct cox_host_options {
  uint32_t capacity; /* jobs that the ring holds; 0: 64 */
  uint32_t
      reserved; /* places of these that only cancels take, so that a full ring does not hold them up; 0: 4; or COX_HOST_NOTHING_RESERVED */
  uint32_t open_limit_us; /* how long cox_host_open() waits for the firmware to give up the ring of an earlier host; 0: 10 s */
} cox_host_options;

/*
 * Opens a link and makes a job ring at the base of DRAM. If an earlier host has left a ring there, the firmware first cancels its jobs and
 * unloads its tasks. `options` may be null. Errors: invalid_argument; timeout ("firmware") if the firmware does not give up the earlier
 * ring; not_ready ("control core") if it is gone.
 */
cox_status cox_host_open(const cox_host_transport *transport, const cox_host_options *options, cox_host **host);
/*
 * Opens a link to a machine under QEMU (docs/host.md, Under QEMU). `socket` is the path of the mailbox's socket, `memory` the file of the
 * memory backend, `dram_base` the bus address of DRAM on the board. Further errors: not_ready ("socket", "memory"), with errno as value.
 */
cox_status cox_host_open_qemu(const char *socket, const char *memory, uint64_t dram_base, const cox_host_options *options, cox_host **host);
/* Closes the link. Jobs that are not done go on, and nothing waits for them. No other call may be in progress. */
void cox_host_close(cox_host *host);

/* Reserves memory in DRAM, in whole blocks of 64 bytes. Error: no_room ("DRAM"). */
cox_status cox_host_allocate(cox_host *host, uint64_t bytes, uint64_t *address);
/* Gives back what cox_host_allocate() returned. Error: invalid_argument ("address"). */
cox_status cox_host_free(cox_host *host, uint64_t address);
/* Returns the memory at a bus address, or null if the bytes are not all in DRAM. */
void *cox_host_memory(cox_host *host, uint64_t address, uint64_t bytes);

/* Kinds of job (docs/jobs.md, Kinds of job). */
enum cox_host_kind {
  COX_HOST_LOAD = 1,
  COX_HOST_RUN = 2,
  COX_HOST_UNLOAD = 3,
  COX_HOST_CANCEL = 4, /* only for cox_host_cancel() */
  COX_HOST_SHARE = 5,
  COX_HOST_READ_TRACE = 6,
  COX_HOST_READ_FAULTS = 7
};

#define COX_HOST_WINDOWS 4
#define COX_HOST_WAITING_UNITS 8

typedef struct cox_host_window {
  uint64_t address;
  uint64_t size; /* 0: no window */
} cox_host_window;

/* A job. The fields are those of firmware/job/job_queue.h. Fields that a kind does not use are 0. */
typedef struct cox_host_job {
  uint32_t kind; /* enum cox_host_kind */
  uint32_t task_slot;
  uint32_t time_limit_us; /* of a run, in microseconds of the control core; 0: 10 s */
  uint32_t argument;
  uint64_t image_address, image_bytes;
  uint64_t workspace_address, workspace_bytes;
  cox_host_window windows[COX_HOST_WINDOWS];
  uint8_t owner, priority, core_mask, retries;
  /* A run computes this many inferences, one after another; 0 is 1. Window i of an inference is strides[i] bytes behind that of the
   * inference before it (docs/jobs.md, Several inferences). */
  uint32_t inferences;
  uint64_t strides[COX_HOST_WINDOWS];
} cox_host_job;

/* A unit that waited for keys when a stream failed: device/waiting_unit.h. */
typedef struct cox_host_waiting_unit {
  uint32_t offset;
  int32_t instruction;
  uint16_t held;
  uint8_t wanted, table, entry, unit;
  uint8_t reserved[2];
} cox_host_waiting_unit;

/* What became of a job. */
typedef struct cox_host_outcome {
  uint32_t error; /* enum cox_error */
  int32_t index;  /* index of the instruction or element; -1: none */
  int64_t value, limit;
  char what[32];                     /* the field, register or object */
  uint64_t start_cycle, end_cycle;   /* of a run, in device time */
  uint64_t control_instructions;     /* of the control core in the run; UINT64_MAX: not counted */
  uint64_t accelerator_instructions; /* of the run */
  uint8_t first_core, cores, retried;
  uint8_t waiting_units; /* of a stream that failed: units of its engine that waited for keys then; `waiting` has them */
  uint32_t inferences;   /* of a run: number of inferences that ended well. If the run failed, this is the index of the one that did */
  cox_host_waiting_unit waiting[COX_HOST_WAITING_UNITS];
} cox_host_outcome;

/*
 * Submits a job. Waits up to `limit_us` for a place in the ring. `*ticket` names the job for the functions below. If `ticket` is null, the
 * library forgets the outcome. Errors, with nothing submitted: no_room ("ring") if there is no place within the limit; not_ready ("link")
 * if the link is lost; invalid_argument ("kind").
 */
cox_status cox_host_submit(cox_host *host, const cox_host_job *job, uint32_t limit_us, uint64_t *ticket);

/*
 * Waits until the job is done, and gives its outcome, which may be an error of the job. The job is answered once: afterwards the ticket
 * names nothing. Errors: timeout ("job") if it is not done within the limit, and the ticket stays valid; not_ready ("link") if the link was
 * lost before it was done, which is its answer; invalid_argument ("ticket") for a job that does not exist, was
 * answered, or is of another link.
 */
cox_status cox_host_wait(cox_host *host, uint64_t ticket, uint32_t limit_us, cox_host_outcome *outcome);

/*
 * Cancels a job, and waits up to `limit_us` until the firmware has taken the request. The job itself still ends with an outcome:
 * `cancelled`, or another if it was quicker. Errors: not_ready ("job") if the job is done; those of cox_host_submit() and cox_host_wait().
 */
cox_status cox_host_cancel(cox_host *host, uint64_t ticket, uint32_t limit_us);

/* Submits a job and waits for it, both together within `limit_us`. Returns the error of the job, too. `outcome` may be null. After a
 * timeout the job goes on, and the library forgets its outcome. */
cox_status cox_host_do(cox_host *host, const cox_host_job *job, uint32_t limit_us, cox_host_outcome *outcome);

/*
 * Loads a task image into an empty task slot. Copies the image to DRAM, and reserves the workspace that the firmware needs. Returns the
 * errors of cox_host_do(), and those of the image's header (docs/task-image.md).
 */
cox_status cox_host_load(cox_host *host, uint32_t task_slot, const void *image, size_t image_bytes, uint32_t limit_us);
/* Empties a task slot, and gives the memory of cox_host_load() back. */
cox_status cox_host_unload(cox_host *host, uint32_t task_slot, uint32_t limit_us);
/* Runs the task in a slot on `count` windows (at most COX_HOST_WINDOWS), and waits for it. */
cox_status cox_host_run(cox_host *host, uint32_t task_slot, const cox_host_window *windows, size_t count, uint32_t limit_us);

#ifdef __cplusplus
}
#endif

#endif
