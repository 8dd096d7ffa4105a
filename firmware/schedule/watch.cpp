// SPDX-License-Identifier: MIT
// Watches for events that the device does not report: lost doorbells, lost completions, cores that were reset from outside, errors that ECC
// corrected (docs/scheduler.md, When something goes wrong). The scheduler calls watch_device() at each tick. While
// completions keep it busy, it calls watch_device() about every kBusyLookInterval.
#include "base/bits.h"
#include "firmware/schedule/scheduler.h"

namespace cox::firmware::schedule {

using isa::tile::kClasses;

namespace {

void record_corrected(std::uint8_t queue, hal::FaultCode fault, ErrorCode error, std::uint32_t detail) {
  hal::FaultRecord record;
  record.cycle = hal::device_cycles();
  record.queue = queue;
  record.fault = fault;
  record.error = error;
  record.detail = detail;
  record.action = hal::FaultAction::corrected;
  hal::fault_log::append(record);
}

}  // namespace

void Scheduler::watch_device() {
  if (!ready_) return;
  const std::uint32_t corrected = hal::corrected_errors();
  if (corrected != corrected_before_) {
    record_corrected(hal::FaultRecord::kNone, hal::FaultCode::ecc, ErrorCode::ok, corrected - corrected_before_);
    totals_.corrected_errors += corrected - corrected_before_;
    corrected_before_ = corrected;
  }
  for (std::uint32_t cores = cores_in_use_; cores != 0;) watch_core(take_lowest(cores));
  update_clocks();  // restarts each clock that stopped although the scheduler had not stopped it
  for (TaskRun &run : runs_) {
    if (run.state != RunState::running) continue;
    // One look is not enough, because the last completion entry may still be on its way to memory.
    run.quiet_looks = is_quiet(run) ? static_cast<std::uint8_t>(run.quiet_looks + 1) : std::uint8_t{0};
    if (run.quiet_looks < 2) continue;
    ++totals_.bad_completions;
    static_cast<void>(hal::abort_context(geometry_, run.context));
    fail(run, Status(ErrorCode::device_fault, "completion", -1, run.report.first_core), true);
  }
}

void Scheduler::watch_core(unsigned core) {
  if (!cores_[core].ready) return;
  find_blocked(core);
  if (cores_[core].was_reset) return;
  for (unsigned number = core * kClasses; number < (core + 1) * kClasses; ++number) {
    hal::tile::SubmissionQueue &ring = queues_[number].ring;
    if (ring.in_flight() == 0 || ring.has_heard()) continue;
    ++totals_.lost_doorbells;
    record_corrected(static_cast<std::uint8_t>(number), hal::FaultCode::none, ErrorCode::timeout, ring.tail());
    ring.ring_doorbell();
  }
}

/// True if the device has finished every instruction of the run that is in its queues, and the scheduler has taken all completions. A
/// verified task cannot deadlock, so such a run has ended, unless a completion was lost.
bool Scheduler::is_quiet(const TaskRun &run) const {
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const ClassQueue &queue = queues_[run.first_lane + lane];
    if ((queue.starved >> run.context & 1) != 0) return false;
    if (static_cast<std::int32_t>(queue.ring.device_head() - last_of(run, run.first_lane + lane)) < 0) return false;
  }
  for (std::uint32_t cores = run.cores; cores != 0;) {
    if (!cores_[take_lowest(cores)].completions.is_drained()) return false;
  }
  return true;
}

}  // namespace cox::firmware::schedule
