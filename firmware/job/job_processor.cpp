// SPDX-License-Identifier: MIT
#include "coxswain/firmware/job/job_processor.h"

#include "coxswain/base/bits.h"
#include "coxswain/firmware/boot/boot_record.h"
#include "coxswain/firmware/job/dispatch_order.h"
#include "coxswain/firmware/schedule/wake_flag.h"
#include "coxswain/firmware/trace/trace.h"
#include "coxswain/hal/interrupt_mask.h"

namespace cox::firmware::job {

namespace {

bool uses_task_slot(Kind kind) { return kind == Kind::load || kind == Kind::run || kind == Kind::unload; }

/// True for most runs that check() accepts. The limits are powers of two, so one comparison is enough for all fields.
bool is_run_within_limits(const Request &job) {
  static_assert(kOwners == 1 << 4 && kPriorities == 1 << 3 && kTaskSlots == 1 << 3 && kCores == 4 && kMostRetries + 1 == 1 << 4);
  static_assert(kReadCounters + 1 == 1 << 1);
  const std::uint32_t beyond = static_cast<std::uint32_t>(job.owner >> 4 | job.priority >> 3 | job.core_mask >> 4 | job.retries >> 4) |
                               job.task_slot >> 3 | job.flags >> 1;
  return job.kind == Kind::run && beyond == 0;
}

/// Checks the fields of a descriptor, without looking at memory or at the loaded tasks.
[[gnu::noinline]] Status check(const Request &job) {
  const auto out_of_range = [](const char *what, std::int64_t value, std::int64_t limit) {
    return Status{ErrorCode::invalid_argument, what, -1, value, limit};
  };
  if (job.kind < Kind::load || job.kind > Kind::read_faults) {
    return out_of_range("kind", static_cast<std::int64_t>(job.kind), static_cast<std::int64_t>(Kind::read_faults));
  }
  if (job.owner >= kOwners) return out_of_range("owner", job.owner, kOwners - 1);
  if (job.priority >= kPriorities) return out_of_range("priority", job.priority, kPriorities - 1);
  if (uses_task_slot(job.kind) && job.task_slot >= kTaskSlots) return out_of_range("task_slot", job.task_slot, kTaskSlots - 1);
  if (job.kind == Kind::run && job.core_mask >> kCores != 0) return out_of_range("core_mask", job.core_mask, (1 << kCores) - 1);
  if (job.kind == Kind::run && job.retries > kMostRetries) return out_of_range("retries", job.retries, kMostRetries);
  if (job.kind == Kind::run && job.flags > kAllRunFlags) return out_of_range("flags", job.flags, kAllRunFlags);
  if (job.kind == Kind::run && (job.flags & kInferences) != 0 && job.argument - 1 >= kMostInferences) {
    return out_of_range("argument", job.argument, kMostInferences);
  }
  if (job.kind == Kind::share && (job.argument == 0 || job.argument > kLargestWeight)) {
    return out_of_range("argument", job.argument, kLargestWeight);
  }
  return {};
}

}  // namespace

JobProcessor::Progress JobProcessor::serve() {
  schedule::WakeFlag::clear();
  if (streams_ != nullptr) streams_->poll();
  follow();
  boot_record::enter(boot_record::Phase::jobs);
  switch (ring_.look()) {
    case Ring::Look::none: return Progress::idle;
    case Ring::Look::refused: stop(); return Progress::stopped;
    case Ring::Look::withdrawn:
      // Forgets the jobs, tasks and shares of the submitter.
      stop();
      owners_ = {};
      records_ = {};
      any_blocked_ = false;
      only_train_ = 0;
      ring_.accept_withdrawal();
      return Progress::served;
    case Ring::Look::open: break;
  }
  bool any = turn();
  if (loading_) {
    step_load();
    any = true;
  }
  retire();
  ring_.announce();
  // A turn that only takes jobs that end at once has begun none, but there may be more jobs behind them. A raised flag may be that of a
  // stream that has ended.
  if (any || ring_.can_take() || can_follow() || schedule::WakeFlag::is_raised()) return Progress::served;
  if (ring_.completed() != ring_.submitted()) return Progress::idle;
  if (!ring_.leave_when_done()) return Progress::idle;
  slots_.unload_all();
  ring_.publish_exit();
  return Progress::exit;
}

/// Takes jobs from the ring, ends runs, and begins the next job. Returns true if there was a next job or an ended run.
bool JobProcessor::turn() {
  const bool ended = end_runs();
  retire();
  take_jobs();
  const std::uint32_t waiting = records_.first_waiting(ring_.completed(), ring_.taken());
  if (waiting == ring_.taken()) return ended;
  const JobRecord &first = records_[waiting];
  // If only one train waits, its first run waits for the run of its task slot.
  const bool slot_is_busy = only_train_ != 0 && first.train == only_train_ && runs_.has_run(first.task_slot);
  std::optional<std::uint32_t> next;
  if (!slot_is_busy) next = next_job(records_, ring_.completed(), ring_.taken(), owners_);
  if (!next) {
    bind_next(waiting);
  } else {
    JobRecord &record = records_[*next];
    const Status status = perform(*next, record);
    // end_runs() finishes a run later, and step_load() a load. A blocked job waits until another run has ended.
    if (!status.ok() || (record.stage == Stage::waiting && record.blocked == 0)) finish(*next, status);
    if (record.stage == Stage::running) bind_behind(*next);
  }
  return next || ended;
}

/// Does a step of the load in progress, and finishes its job after the last step.
void JobProcessor::step_load() {
  const std::uint32_t number = *loading_;
  boot_record::enter_job(number, boot_record::Phase::load);
  // The main program may have no other work for a long time, so look at time limits and at tasks that stop.
  scheduler_.poll();
  if (!load_cancelled_ && slots_.step_load()) return;
  loading_.reset();
  const Status status = slots_.end_load();
  finish(number, load_cancelled_ ? Status{ErrorCode::cancelled, "job", -1, number} : status);
}

void JobProcessor::take_jobs() {
  while (ring_.can_take()) {
    const std::uint32_t number = ring_.take();
    Request job;
    ring_.copy_order(number, job);
    records_[number] = JobRecord{};
    const State progress = ring_.progress_before_reset(number);
    if (progress == State::done) continue;
    const Status status = progress == State::running ? Status{ErrorCode::cancelled, "watchdog"} : admit(number, job);
    if (!status.ok()) ring_.finish(number, status);
    if (records_[number].stage == Stage::done) ++jobs_;
  }
}

/// Jobs of kind `cancel` and jobs with an error are done at once. All other jobs wait from here on.
Status JobProcessor::admit(std::uint32_t number, const Request &job) {
  if (job.state != State::submitted) return {ErrorCode::invalid_argument, "state", -1, static_cast<std::int64_t>(job.state)};
  if (!is_run_within_limits(job)) {
    if (Status status = check(job); !status.ok()) return status;
  }
  if (job.kind == Kind::cancel) {
    Status status = cancel(job, number);
    if (status.ok()) ring_.finish(number, status);
    return status;
  }
  const JobRecord record{.stage = Stage::waiting,
                         .kind = static_cast<std::uint8_t>(job.kind),
                         .owner = job.owner,
                         .priority = job.priority,
                         .task_slot = uses_task_slot(job.kind) ? static_cast<std::uint8_t>(job.task_slot) : std::uint8_t{0}};
  if (job.kind == Kind::run) {
    records_.add_run(number, record);
  } else {
    records_[number] = record;
  }
  owners_.arrive(job.owner);
  if (records_[number].train != only_train_) {
    bound_.follows = false;  // until bind_next() has seen the job
    only_train_ = 0;
  }
  return {};
}

/// Copies and checks the descriptor of a job that was taken.
Status JobProcessor::copy(std::uint32_t number, const JobRecord &record, Request &job) {
  ring_.copy(number, job);
  // The firmware has ordered the jobs by these fields. The submitter may have changed them since, so the record's values are used.
  job.kind = record.job_kind();
  job.owner = record.owner;
  job.priority = record.priority;
  job.task_slot = record.task_slot;
  // The submitter may have changed the other fields since the job was taken.
  return is_run_within_limits(job) ? Status() : check(job);
}

Status JobProcessor::perform(std::uint32_t number, JobRecord &record) {
  Request job;
  const bool is_run = record.job_kind() == Kind::run;
  const bool is_bound = is_run && bound_.there && bound_.number == number;
  if (!is_bound) {
    if (Status status = copy(number, record, job); !status.ok()) return status;
  }
  boot_record::enter_job(number, record.job_kind() == Kind::load ? boot_record::Phase::load : boot_record::Phase::job);
  if (is_run) {
    if (!is_bound) {
      if (Status status = bind(number, job); !status.ok()) return status;
    }
    return begin_run(record);
  }
  bound_.there = false;  // the job may change the task of the bound run, or the memory that its windows must not overlap
  // Loads may still have to wait for another run's end.
  if (job.kind != Kind::load) ring_.mark_running(number, job.owner);
  switch (job.kind) {
    case Kind::unload:
      if (Status status = slots_.check_owner(job.task_slot, job.owner); !status.ok()) return status;
      if (!slots_.slot(job.task_slot).task.valid()) return {ErrorCode::not_ready, "task_slot", -1, job.task_slot};
      slots_.unload(job.task_slot);
      return {};
    case Kind::share: owners_.set_weight(job.owner, static_cast<std::uint8_t>(job.argument)); return {};
    case Kind::read_trace: return read_trace(job);
    case Kind::read_faults: return read_faults(job);
    case Kind::load: return begin_load(number, record, job);
    case Kind::run:     // above
    case Kind::cancel:  // the cancel was done when the job was taken
      break;
  }
  return {ErrorCode::invalid_argument, "kind", -1, static_cast<std::int64_t>(job.kind)};
}

void JobProcessor::finish(std::uint32_t number, const Status &status, const schedule::RunSummary &report,
                          std::span<const hal::tile::QueueCounters> queues, std::uint32_t inferences) {
  JobRecord &record = records_[number];
  if constexpr (trace::kEnabled) {
    const hal::InterruptMask mask;
    trace::record<trace::Kind::job_end>(0, record.owner, number & 0xFFFF);
  }
  record.stage = Stage::done;
  ring_.finish(number, status, report, queues, inferences);
  owners_.leave(record.owner);
  ++jobs_;
}

void JobProcessor::retire() {
  std::uint32_t number = ring_.completed();
  while (number != ring_.taken() && records_[number].stage == Stage::done) ++number;
  if (number != ring_.completed()) ring_.retire(number);
}

/// Called if the ring is invalid or withdrawn. Cancels the load and all runs and waits until they have ended, which takes at most
/// schedule::kStopLimit.
void JobProcessor::stop() {
  for (std::uint32_t slots = runs_.slots(); slots != 0;) static_cast<void>(runs_.cancel(take_lowest(slots)));
  while (runs_.slots() != 0) {
    schedule::WakeFlag::clear();
    if (streams_ != nullptr) streams_->poll();
    if (!end_runs()) scheduler_.sleep();
  }
  bound_.there = false;
  if (loading_) static_cast<void>(slots_.end_load());
  loading_.reset();
  slots_.unload_all();
}

}  // namespace cox::firmware::job
