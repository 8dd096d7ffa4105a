// SPDX-License-Identifier: MIT
#include "coxswain/firmware/schedule/task_submissions.h"

#include "coxswain/base/bits.h"
#include "coxswain/firmware/schedule/bindings.h"
#include "coxswain/firmware/schedule/dispatcher.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/interrupt_mask.h"

namespace cox::firmware::schedule {

Result<hal::Handle> TaskSubmissions::submit(const image::LoadedTask &task, const std::array<hal::Window, hal::kWindows> &windows,
                                            const RunOptions &options) {
  const hal::InterruptMask mask;
  if (const Result<unsigned> index = free_index(); !index) return index.status();
  const Result<unsigned> context = scheduler_.start_bound(task, windows, options);
  if (!context) return context.status();
  started_[context.value()] = {&task, windows, nullptr};
  return begin(context.value());
}

Status TaskSubmissions::wait(hal::Handle handle, std::uint64_t limit_us, RunReport *report, hal::AtLimit at_limit) {
  {
    const hal::InterruptMask mask;
    if (const Status status = check(handle); !status.ok()) return status;
    started_[handle.index()].report = report;
  }
  const Status status = wait(handle, limit_us, at_limit);
  const hal::InterruptMask mask;
  if (check(handle).ok()) started_[handle.index()].report = nullptr;  // the caller's report may end before the run
  return status;
}

Status TaskSubmissions::cancel(hal::Handle handle) {
  const hal::InterruptMask mask;
  if (const Status status = check(handle); !status.ok()) return status;
  return scheduler_.cancel(handle.index());
}

bool TaskSubmissions::needs_attention() {
  // The interrupt handler takes completions, but an interrupt may be lost.
  Dispatcher &dispatcher = Dispatcher::active();
  dispatcher.take_from(dispatcher.cores().in_use());
  scheduler_.supervise();
  return must_start();
}

bool TaskSubmissions::must_start() const {
  for (unsigned context = 0; context < kMaximumRuns; ++context) {
    if (schedule::must_start(scheduler_.run(context))) return true;
  }
  return false;
}

void TaskSubmissions::look() {
  for (std::uint32_t indices = in_flight(); indices != 0;) {
    const unsigned index = take_lowest(indices);
    if (scheduler_.has_ended(index)) end(index);
  }
}

void TaskSubmissions::show(unsigned index) {
  const Started &run = started_[index];
  for (std::size_t i = 0; i < run.task->tensors(); ++i) {
    const image::TensorView tensor = run.task->tensor(i);
    if (tensor.output) hal::invalidate_cache(tensor_bytes(tensor, run.windows), static_cast<std::size_t>(tensor.size));
  }
}

Status TaskSubmissions::take(unsigned index) {
  const Result<RunReport> report = scheduler_.take(index);
  if (!report) return report.status();
  if (started_[index].report != nullptr) *started_[index].report = report.value();
  return report.value().status;
}

}  // namespace cox::firmware::schedule
