/* SPDX-License-Identifier: MIT */
/*
 * A control core and an accelerator in this process: the firmware in a thread, the accelerator's model behind it (docs/host.md). Only
 * libcoxswain_host.so has these functions.
 */
#ifndef HOST_COXSWAIN_NATIVE_H
#define HOST_COXSWAIN_NATIVE_H

#include <stddef.h>
#include <stdint.h>

#include "coxswain/host/coxswain_host.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cox_native cox_native;

typedef struct cox_native_options {
  const char *model_options; /* a JSON object (docs/model.md, Options); null: the defaults */
  uint64_t dram_bytes;       /* whole MiB; 0: the board's default */
} cox_native_options;

/*
 * Switches the machine on and boots the firmware. `options` may be null. A process can have one machine at a time, because its memory is at
 * fixed addresses. Error: not_ready ("machine"), with a sentence in `reason` (of `reason_bytes` bytes, always terminated).
 */
cox_status cox_native_start(const cox_native_options *options, char *reason, size_t reason_bytes, cox_native **machine);
/* Opens a link to the machine, with the errors of cox_host_open(). Close it before cox_native_stop(). */
cox_status cox_native_open(cox_native *machine, const cox_host_options *options, cox_host **host);
/* Copies the text of console and model's log so far to `text`, of `bytes` bytes, without a terminating zero. Returns its whole length. */
size_t cox_native_console(cox_native *machine, char *text, size_t bytes);
/*
 * Has the firmware cancel what is left, and switches the machine off. Error: timeout ("firmware") if the firmware does not end within
 * 30 s. The machine then goes on until the process ends, and no other can be started.
 */
cox_status cox_native_stop(cox_native *machine);

#ifdef __cplusplus
}
#endif

#endif
