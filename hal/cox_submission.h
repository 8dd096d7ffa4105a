/* SPDX-License-Identifier: MIT */
/*
 * Asynchronous work for C programs (docs/hal.md, Asynchronous submission). The functions of the engines that submit return a handle. The
 * functions here take handles of all engines. A handle is valid until a function that waits has returned the outcome of the work.
 *
 * Errors of all functions that take a handle:
 * - invalid_argument ("handle"): no function has returned this handle; "engine": the function is not for the handle's engine.
 * - not_ready ("handle"): a wait has returned its outcome, or its engine was closed since.
 */
#ifndef HAL_COX_SUBMISSION_H
#define HAL_COX_SUBMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Engine, index and generation of a submission, in the bits that hal/submissions.h says. 0 is never a handle. */
typedef uint32_t cox_handle;

/* Returns true if a wait would return at once, also for a handle that is not valid. Checks time limits. */
bool cox_has_ended(cox_handle handle);

/* Waits until the work has ended, at most `limit_us` microseconds, and returns its outcome. Then the handle is no longer valid. Error:
 * timeout ("wait"); the work goes on, and the handle stays valid. */
cox_status cox_wait_for(cox_handle handle, uint32_t limit_us);

typedef void (*cox_callback)(cox_handle handle, void *argument);

/* Who calls a callback. From the interrupt: the accelerator's interrupt handler, or a thread that sees the end first, in a critical
 * section. Such a callback may submit, set callbacks, and wait for handles whose work has ended; other waits return not_ready
 * ("interrupt"). Work that fails or reaches its time limit ends only in a call of cox_poll(), cox_has_ended() or a wait; the callback
 * then runs there.
 * From cox_poll(): the thread that calls it. Such a callback may call all functions. */
enum { COX_CALL_FROM_POLL = 0, COX_CALL_FROM_INTERRUPT = 1 };

/* Calls `callback` once, when the work has ended. If it has ended already, a callback from the interrupt is called before cox_call_at_end()
 * returns. A wait is still necessary: it returns the outcome and frees the handle. The callback may do it. Errors: invalid_argument
 * ("callback", "from"); not_ready ("callback") if the handle has a callback; not_ready ("stream") for a callback from the interrupt of an
 * engine with an attached stream. */
cox_status cox_call_at_end(cox_handle handle, cox_callback callback, void *argument, uint32_t from);

/* Looks for work that has ended, checks time limits, recovers engines from failures, and calls callbacks. A program that waits for no
 * handle calls it every 10 ms or more often. */
void cox_poll(void);

#ifdef __cplusplus
}
#endif
#endif
