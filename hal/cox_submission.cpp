// SPDX-License-Identifier: MIT
#include "coxswain/hal/cox_submission.h"

#include "coxswain/base/c_status.h"
#include "coxswain/hal/submissions.h"

namespace {

using cox::ErrorCode;
using cox::Result;
using cox::Status;
using cox::to_c;
using cox::hal::CallFrom;
using cox::hal::Handle;
using cox::hal::Submissions;

static_assert(int{COX_CALL_FROM_POLL} == static_cast<int>(CallFrom::poll) &&
              int{COX_CALL_FROM_INTERRUPT} == static_cast<int>(CallFrom::interrupt));

}  // namespace

bool cox_has_ended(cox_handle handle) {
  const Result<Submissions *> engine = Submissions::of(Handle(handle));
  return !engine || engine.value()->has_ended(Handle(handle));
}

cox_status cox_wait_for(cox_handle handle, uint32_t limit_us) {
  const Result<Submissions *> engine = Submissions::of(Handle(handle));
  return to_c(engine ? engine.value()->wait(Handle(handle), limit_us) : engine.status());
}

cox_status cox_call_at_end(cox_handle handle, cox_callback callback, void *argument, uint32_t from) {
  if (from > COX_CALL_FROM_INTERRUPT) return to_c(Status(ErrorCode::invalid_argument, "from", -1, from, COX_CALL_FROM_INTERRUPT));
  const Result<Submissions *> engine = Submissions::of(Handle(handle));
  if (!engine) return to_c(engine.status());
  return to_c(engine.value()->call_at_end(Handle(handle), {callback, argument, static_cast<CallFrom>(from)}));
}

void cox_poll() { Submissions::poll_all(); }
