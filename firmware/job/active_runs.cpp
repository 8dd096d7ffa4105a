// SPDX-License-Identifier: MIT
#include "coxswain/firmware/job/active_runs.h"

#include "coxswain/base/bits.h"
#include "coxswain/firmware/job/ring.h"

namespace cox::firmware::job {

using schedule::MemoryRange;

namespace {

/// Returns the bytes of a range in DRAM, or of an empty range.
Extent extent_of(const MemoryRange &range) {
  const auto first = static_cast<std::uintptr_t>(range.address);
  return range.size == 0 ? Extent() : Extent{first, first + static_cast<std::uintptr_t>(range.size) - 1};
}

/// Returns the first window (0 to 3) of `memory` in which two runs conflict: one would write bytes that the other uses. Returns kWindows if
/// there is no conflict.
unsigned conflict(const MemoryUse &running, const MemoryUse &memory) {
  for (unsigned own = 0; own < kWindows; ++own) {
    for (unsigned other = 0; other < kWindows; ++other) {
      const bool written = ((memory.written >> own | running.written >> other) & 1) != 0;
      if (written && memory.windows[own].overlaps(running.windows[other])) return own;
    }
  }
  return kWindows;
}

}  // namespace

Status ActiveRuns::start(unsigned task_slot, const schedule::RunWindows &windows, const schedule::RunOptions &options) {
  const image::LoadedTask &task = slots_.slot(task_slot).task;
  ActiveRun &run = runs_[task_slot];
  if (task.program() != nullptr) {
    run.engine = static_cast<std::uint8_t>(streams_->number_of(task));
    if (Status status = streams_->start(task, windows, options); !status.ok()) return status;
    run.context = static_cast<std::uint8_t>(streams_->context(run.engine));
    return {};
  }
  const Result<unsigned> context = scheduler_.start_bound(task, windows, options);
  if (!context) return context.status();
  run.engine = ActiveRun::kTileCores;
  run.context = static_cast<std::uint8_t>(context.value());
  return {};
}

void ActiveRuns::add(const BoundRun &bound, unsigned owner) {
  ActiveRun &run = runs_[bound.task_slot];
  run.number = bound.number;
  run.owner = static_cast<std::uint8_t>(owner);
  run.cancelled = false;
  run.inferences = bound.inferences;
  if (run.inferences.any_left()) run.options = bound.options;
  running_ |= 1U << bound.task_slot;
}

void ActiveRuns::remove(unsigned task_slot) { running_ &= ~(1U << task_slot); }

bool ActiveRuns::start_again(unsigned task_slot, const schedule::RunWindows &windows, const schedule::RunOptions &options,
                             schedule::RunSummary &ended) {
  const ActiveRun &run = runs_[task_slot];
  if (run.engine == ActiveRun::kTileCores) return scheduler_.start_again(run.context, windows, options, ended);
  return streams_->start_again(run.engine, windows, options, ended);
}

const schedule::RunSummary &ActiveRuns::take(unsigned task_slot, Counters &counters) {
  const ActiveRun &run = runs_[task_slot];
  counters = {};
  if (run.engine != ActiveRun::kTileCores) return streams_->take(run.engine);
  const schedule::RunReport &report = scheduler_.take_ended(run.context);
  if (report.counted) counters = report.queues;
  return report;
}

Status ActiveRuns::cancel(unsigned task_slot) {
  ActiveRun &run = runs_[task_slot];
  run.cancelled = true;
  if (run.engine == ActiveRun::kTileCores) return scheduler_.cancel(run.context);
  streams_->cancel(run.engine);
  return {};
}

/// Returns the memory of a run, of which the next inference has these windows. A window into which the firmware copies constants is whole
/// blocks, because the firmware writes whole cache lines.
MemoryUse ActiveRuns::memory_of(unsigned task_slot, std::span<const hal::Window, kWindows> windows, const Inferences &inferences) const {
  const image::LoadedTask &task = slots_.slot(task_slot).task;
  MemoryUse memory;
  memory.written = static_cast<std::uint8_t>(schedule::written_windows(task, windows));
  for (unsigned i = 0; i < kWindows; ++i) {
    const bool copied = (memory.written >> i & 1) != 0 && task.windows()[i].has_constants;
    memory.windows[i] = extent_of(copied ? blocks_of(windows[i].range()) : windows[i].range());
  }
  inferences.widen(memory);
  return memory;
}

/// Returns the windows of the inference on the device.
std::span<const hal::Window, kWindows> ActiveRuns::windows_of(const ActiveRun &run) const {
  if (run.engine != ActiveRun::kTileCores) return streams_->windows(run.engine);
  return scheduler_.run(run.context).configuration.windows;
}

/// Returns the memory of the run on the device.
MemoryUse ActiveRuns::memory_of_run(unsigned task_slot) const {
  return memory_of(task_slot, windows_of(runs_[task_slot]), runs_[task_slot].inferences);
}

schedule::RunWindows ActiveRuns::next_windows(unsigned task_slot) const {
  const std::span<const hal::Window, kWindows> now = windows_of(runs_[task_slot]);
  static_assert(kWindows == 4);
  schedule::RunWindows windows{now[0], now[1], now[2], now[3]};
  runs_[task_slot].inferences.move(windows);
  return windows;
}

ActiveRuns::Conflict ActiveRuns::find_conflict(const BoundRun &bound) const {
  std::uint32_t others = running_ & ~(1U << bound.task_slot);
  if (others == 0) return {};
  const MemoryUse memory = memory_of(bound.task_slot, bound.windows, bound.inferences);
  while (others != 0) {
    const unsigned other = take_lowest(others);
    const unsigned window = conflict(memory_of_run(other), memory);
    if (window != kWindows) return {&runs_[other], window};
  }
  return {};
}

const ActiveRun *ActiveRuns::user_of(const MemoryRange &range, bool to_write) const {
  const Extent extent = extent_of(range);
  for (std::uint32_t runs = running_; runs != 0;) {
    const unsigned task_slot = take_lowest(runs);
    const MemoryUse memory = memory_of_run(task_slot);
    for (unsigned i = 0; i < kWindows; ++i) {
      if ((to_write || (memory.written >> i & 1) != 0) && extent.overlaps(memory.windows[i])) return &runs_[task_slot];
    }
  }
  return nullptr;
}

}  // namespace cox::firmware::job
