/* SPDX-License-Identifier: MIT */
/*
 * The accelerator for C programs. A program opens it first, then the engines that it uses, in any order and combination. Each engine's
 * header has a function to open it (docs/hal.md, From C).
 *
 * Rules for all C functions of Coxswain:
 * - Outcomes: a function that can fail returns a cox_status (base/cox_status.h). A refused call has changed nothing.
 * - Memory: the caller owns it. Images, workspaces, windows, tensors and streams lie in DRAM (cox_dram_base()). Streams may also lie in
 *   other memory that the accelerator reads.
 * - Addresses: a pointer is the core's. An address that is a number is a bus address; cox_bus_address() makes it of a pointer.
 * - Alignment: the comment of each function states it. COX_ALIGNMENT is enough for all. It is at least the core's cache line, so that no
 *   line holds data of both core and accelerator.
 * - Lifetime: what a running task or stream uses must stay in place and unchanged until the call that waits for it has returned. Tasks
 *   and streams must not move while they are in use.
 * - Threads: several threads may call Coxswain if the program has the functions of hal/cox_os.h. Any thread may submit to any engine, and
 *   call the functions of hal/cox_submission.h. One thread at a time may open and close. The other functions of an engine (those that build
 *   streams, load tasks, or return warnings and cycles) are for one thread at a time too, but two threads may use two engines. A function
 *   that waits blocks only its thread.
 * - Interrupt handlers must not call these functions, except callbacks from the accelerator's interrupt (cox_call_at_end()). They must not
 *   be called while interrupts are masked.
 */
#ifndef HAL_COX_ACCELERATOR_H
#define HAL_COX_ACCELERATOR_H

#include <stddef.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"
#include "coxswain/base/version.h"
#include "coxswain/hal/cox_bus.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the C interface. A program runs with a library of the same major version and the same or a later minor version. */
#define COX_INTERFACE_MAJOR 1u
#define COX_INTERFACE_MINOR 2u

#define COX_ALIGNMENT 64u

typedef struct cox_options {
  uint32_t version_major; /* COX_INTERFACE_MAJOR of the header that the program was compiled with */
  uint32_t version_minor; /* likewise */
  /* Since version 1.1. The library does not read it in a program of version 1.0, whose structure ends before it. */
  uint32_t interrupt_priority; /* of the accelerator's interrupts, as the interrupt controller counts: 0 is the highest */
} cox_options;
/* The initial value of options: const cox_options options = COX_OPTIONS; */
#define COX_OPTIONS \
  { COX_INTERFACE_MAJOR, COX_INTERFACE_MINOR, 0 }

/* Identifies the device, connects its interrupts and takes the board's queue memory. Errors: invalid_argument ("options") if `options` is
 * NULL; unsupported ("COX_INTERFACE_MAJOR" or "COX_INTERFACE_MINOR", `value` the program's, `limit` the library's); invalid_argument
 * ("interrupt_priority", `limit` the number of priorities); not_owner ("cox_open") if the accelerator is open already; unknown_device. */
cox_status cox_open(const cox_options *options);
/* Closes the accelerator. Errors: not_ready ("cox_open") if it is not open; not_owner with the name of an engine that is open. */
cox_status cox_close(void);

/* The bus address of the first byte of DRAM, and the number of bytes of DRAM. They may be called before cox_open(). cox_core_address()
 * makes a pointer of the address. */
uint64_t cox_dram_base(void);
uint64_t cox_dram_bytes(void);

/* Part of DRAM in which a function places by itself what the accelerator reads and writes. The function uses it until it returns. */
typedef struct cox_memory {
  void *address;
  size_t bytes;
} cox_memory;
/* All of DRAM, for programs that keep nothing there between calls. */
cox_memory cox_dram(void);

#ifdef __cplusplus
}
#endif
#endif
