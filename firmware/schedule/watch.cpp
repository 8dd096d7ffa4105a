// SPDX-License-Identifier: MIT
// Looks at registers of the device.
#include "coxswain/firmware/schedule/watch.h"

#include "coxswain/base/bits.h"
#include "coxswain/firmware/schedule/inspect.h"

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

void Watch::initialise() { corrected_before_ = hal::corrected_errors(); }

void Watch::look(std::uint64_t now) {
  if (now - last_look_ < kLookInterval) return;
  last_look_ = now;
  dispatcher_.note_look(now);
  const std::uint32_t corrected = hal::corrected_errors();
  if (corrected != corrected_before_) {
    record_corrected(hal::FaultRecord::kNone, hal::FaultCode::ecc, ErrorCode::ok, corrected - corrected_before_);
    corrected_errors_ += corrected - corrected_before_;
    corrected_before_ = corrected;
  }
  CoreBank &bank = dispatcher_.cores();
  for (std::uint32_t cores = bank.in_use(); cores != 0;) look_at_core(take_lowest(cores));
  bank.update_clocks();  // restarts each clock that stopped although the scheduler had not stopped it
  for (const TaskRun &run : runs_.runs()) {
    if (run.state == RunState::running) runs_.count_look(run.context, is_quiet(run));
  }
}

void Watch::look_at_core(unsigned core) {
  CoreBank &bank = dispatcher_.cores();
  if (!bank.core(core).ready) return;
  dispatcher_.find_blocked(core);
  if (bank.core(core).was_reset) return;
  for (unsigned number = core * kClasses; number < (core + 1) * kClasses; ++number) {
    hal::tile::SubmissionQueue &ring = bank.queue(number).ring;
    if (ring.in_flight() == 0 || ring.has_heard()) continue;
    ++lost_doorbells_;
    record_corrected(static_cast<std::uint8_t>(number), hal::FaultCode::none, ErrorCode::timeout, ring.tail());
    ring.ring_doorbell();
  }
}

/// True if the device has finished every instruction of the run that is in its queues, and the scheduler has taken all completions. A
/// verified task cannot deadlock, so such a run has ended, unless a completion was lost.
bool Watch::is_quiet(const TaskRun &run) const {
  const CoreBank &bank = dispatcher_.cores();
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const ClassQueue &queue = bank.queue(run.first_lane + lane);
    if ((queue.starved >> run.context & 1) != 0) return false;
    if (is_behind(queue.ring.device_head(), last_of(bank, run, run.first_lane + lane))) return false;
  }
  for (std::uint32_t cores = run.cores; cores != 0;) {
    if (!bank.core(take_lowest(cores)).completions.is_drained()) return false;
  }
  return true;
}

}  // namespace cox::firmware::schedule
