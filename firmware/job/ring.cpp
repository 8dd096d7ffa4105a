// SPDX-License-Identifier: MIT
#include "coxswain/firmware/job/ring.h"

#include <algorithm>
#include <cstring>

#include "coxswain/base/inline_copy.h"
#include "coxswain/firmware/trace/trace.h"
#include "coxswain/hal/barrier.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/mailbox.h"

namespace cox::firmware::job {

namespace {

static_assert(kWindows == hal::kWindows && kQueues == isa::tile::kClasses);

/// Reads a value exactly once, because the submitter may be writing it at this moment.
template <typename T>
T look_at(const T &shared) {
  return *static_cast<const volatile T *>(&shared);
}
/// Writes a value to memory, after all that was written before.
template <typename T>
void publish(T &shared, T value) {
  hal::memory_barrier();
  *static_cast<volatile T *>(&shared) = value;
  hal::clean_cache(&shared, sizeof(shared));
}

/// The header of versions 1 and 2, as far as a submitter reads it.
struct OldHeader {
  std::uint32_t of_submitter[6];
  std::uint32_t firmware_state;
  std::uint32_t firmware_error;
};
constexpr std::uint32_t kLastOldVersion = 2;

/// Tells the submitter that the firmware has stopped with an error.
template <typename AnyHeader>
void publish_stop(AnyHeader &header, const Status &status) {
  header.firmware_error = static_cast<std::uint32_t>(status.code());
  publish(header.firmware_state, kStopped);
  hal::mailbox::ring_host();
}

void copy_name(const char *name, char (&target)[32]) {
  static constexpr std::uint64_t kNothing[sizeof(target) / sizeof(std::uint64_t)] = {};
  // Without a call, unlike std::memset(). Clang 14 crashes on `target` instead of `&target[0]`.
  std::memcpy(__builtin_assume_aligned(&target[0], alignof(std::uint64_t)), kNothing, sizeof(target));
  for (std::size_t i = 0; i + 1 < sizeof(target) && name[i] != '\0'; ++i) target[i] = name[i];
}

}  // namespace

constexpr std::size_t kSubmittersBytes = offsetof(Header, session) + sizeof(Header::session);
constexpr std::size_t kOutcomeBytes = offsetof(Outcome, queues) + sizeof(Outcome::queues);

// The first line of an outcome and the firmware's part of the header: one cache line each, so memory has all or nothing of a change.
static_assert(offsetof(Outcome, error_what) == hal::kCacheLine);
static_assert(offsetof(Header, unused) - offsetof(Header, uptime_us) <= hal::kCacheLine);
static_assert(kBlock % hal::kCacheLine == 0);

Descriptor &Ring::descriptor(std::uint32_t number) const { return reinterpret_cast<Descriptor *>(header_ + 1)[number % capacity_]; }

Status Ring::check(const Header &header) {
  if (look_at(header.version) != kVersion) return {ErrorCode::unsupported, "version", -1, look_at(header.version), kVersion};
  const std::uint32_t capacity = look_at(header.capacity);
  const std::uint64_t bytes = sizeof(Header) + std::uint64_t{capacity} * sizeof(Descriptor);
  if (capacity == 0 || bytes > dram_.size) {
    return {ErrorCode::invalid_argument, "capacity", -1, capacity,
            static_cast<std::int64_t>((dram_.size - sizeof(Header)) / sizeof(Descriptor))};
  }
  capacity_ = capacity;
  range_ = {dram_.address, bytes};
  return {};
}

/// After a reset by the watchdog, continues where the previous boot stopped, so that no job is done twice.
void Ring::resume(const Header &header) {
  if (board::reset_cause() != board::ResetCause::watchdog || look_at(header.firmware_state) != kReady) return;
  const std::uint32_t completed = look_at(header.completed);
  const std::uint32_t left_over = look_at(header.submitted) - completed;
  if (left_over > capacity_) return;
  completed_ = completed;
  taken_ = completed;
  resumed_from_ = completed;
  left_over_ = left_over;
}

Ring::Look Ring::look() {
  Header &shared = header();
  // Makes the submitter's writes visible. At the first look also the firmware's own part, which an earlier boot or the submitter has
  // written.
  hal::invalidate_cache(&shared, open_ ? kSubmittersBytes : sizeof(shared));
  const std::uint32_t magic = look_at(shared.magic);
  hal::memory_barrier();
  if (magic == kWithdrawn && look_at(shared.session) != look_at(shared.withdrawn)) return Look::withdrawn;
  if (magic != kMagic) return Look::none;
  if (!open_) {
    if (Status status = check(shared); !status.ok()) {
      if (look_at(shared.version) <= kLastOldVersion) {
        publish_stop(reinterpret_cast<OldHeader &>(shared), status);
      } else {
        publish_stop(shared, status);
      }
      return Look::refused;
    }
    open_ = true;
    resume(shared);
    publish(shared.firmware_state, kReady);
  }
  const std::uint32_t submitted = look_at(shared.submitted);
  leave_when_done_ = (look_at(shared.flags) & kExitWhenDone) != 0;
  hal::memory_barrier();
  // The submitter must not submit more jobs than the ring holds, and must not take back a job that the firmware has taken. If `submitted`
  // is less than `completed_`, the first difference wraps around and is larger than any capacity.
  if (submitted - completed_ > capacity_ || submitted - completed_ < taken_ - completed_) {
    publish_stop(shared, {ErrorCode::invalid_argument, "submitted", -1, submitted - completed_, capacity_});
    return Look::refused;
  }
  submitted_ = submitted;
  return Look::open;
}

State Ring::progress_before_reset(std::uint32_t number) const {
  if (!is_left_over(number)) return State::empty;
  Outcome &shared = descriptor(number).outcome;
  hal::invalidate_cache(&shared, hal::kCacheLine);
  return look_at(shared.number) == number ? look_at(shared.state) : State::empty;
}

void Ring::copy(std::uint32_t number, Request &job) const {
  Request &shared = descriptor(number).request;
  hal::invalidate_cache(&shared, sizeof(shared));
  inline_copy(job, shared);
}

void Ring::copy_order(std::uint32_t number, Request &job) const {
  Request &shared = descriptor(number).request;
  hal::invalidate_cache(&shared, sizeof(shared));
  constexpr std::size_t kFirst = offsetof(Request, image_address), kLast = offsetof(Request, owner);
  std::memcpy(&job, &shared, kFirst);
  std::memcpy(&job.owner, &shared.owner, sizeof(Request) - kLast);
}

void Ring::mark_running(std::uint32_t number, [[maybe_unused]] unsigned owner) const {
  if constexpr (trace::kEnabled) {
    const hal::InterruptMask mask;
    trace::record<trace::Kind::job_start>(0, owner, number & 0xFFFF);
  }
  Outcome &shared = begin_outcome(number);
  hal::clean_cache(&shared.number, sizeof(shared.number) + sizeof(shared.state));
}

/// Says in the cache that the job runs, whatever the cache held before: an earlier submitter's job may have had the same number. A
/// submitter that finds the number also finds the state, because both are in one cache line.
Outcome &Ring::begin_outcome(std::uint32_t number) const {
  Outcome &shared = descriptor(number).outcome;
  *static_cast<volatile State *>(&shared.state) = State::running;
  hal::memory_barrier();
  *static_cast<volatile std::uint32_t *>(&shared.number) = number;
  hal::memory_barrier();
  return shared;
}

void Ring::finish(std::uint32_t number, const Status &status, const schedule::RunSummary &report,
                  std::span<const hal::tile::QueueCounters> queues, std::uint32_t before) {
  Outcome &job = begin_outcome(number);
  job.error = static_cast<std::uint32_t>(status.code());
  job.error_index = status.index();
  job.error_value = status.value();
  job.error_limit = status.limit();
  copy_name(status.what(), job.error_what);
  add_inference(number, report, queues, before);
  // Only the first line announces the outcome, so all others go to memory before.
  job.waiting_units = static_cast<std::uint8_t>(report.waiting.size());
  std::ranges::copy(report.waiting, job.waiting);
  const bool is_short = job.counted == 0 && report.waiting.empty();
  const std::size_t end = is_short ? offsetof(Outcome, clocked_cycles) : kOutcomeBytes;
  hal::clean_cache(job.error_what, end - offsetof(Outcome, error_what));
  publish(job.state, State::done);
  any_finished_ = true;
}

void Ring::add_inference(std::uint32_t number, const schedule::RunSummary &report, std::span<const hal::tile::QueueCounters> queues,
                         std::uint32_t before) const {
  Outcome &job = descriptor(number).outcome;
  job.inferences = before + (report.status.ok() && report.end_cycle != 0 ? 1 : 0);
  job.end_cycle = report.end_cycle;
  job.counting_cycles = static_cast<std::uint32_t>(report.counted_cycle - report.end_cycle);
  job.first_core = report.first_core;
  job.cores = report.cores;
  job.fault_address = report.fault_address;
  if (before == 0) {
    job.start_cycle = report.start_cycle;
    job.control_instructions = report.control_instructions;
    job.accelerator_instructions = report.accelerator_instructions;
    job.retried = report.retried;
    job.warnings = report.warnings;
    job.counted = queues.empty() ? 0 : 1;
    job.clocked_cycles = 0;
    if (!queues.empty()) std::memset(job.queues, 0, sizeof(job.queues));
  } else {
    job.control_instructions += report.control_instructions;
    if (report.control_instructions == UINT64_MAX) job.control_instructions = UINT64_MAX;
    job.accelerator_instructions += report.accelerator_instructions;
    job.retried = static_cast<std::uint8_t>(std::min(job.retried + report.retried, UINT8_MAX));
    job.warnings = static_cast<std::uint8_t>(job.warnings | report.warnings);
  }
  if (queues.empty()) return;
  job.clocked_cycles += report.clocked_cycles;
  for (unsigned i = 0; i < kQueues; ++i) {
    const hal::tile::QueueCounters &queue = queues[i];
    job.queues[i].instructions += queue.instructions;
    job.queues[i].busy_cycles += queue.busy_cycles;
    job.queues[i].stalled_cycles += queue.stalled_cycles;
    job.queues[i].bytes += queue.bytes;
  }
}

void Ring::retire(std::uint32_t number) {
  completed_ = number;
  Header &shared = header();
  shared.uptime_us = board::microseconds();
  shared.awake_us = board::awake_microseconds();
  publish(shared.completed, number);
}

void Ring::announce() {
  if (any_finished_) hal::mailbox::ring_host();
  any_finished_ = false;
}

void Ring::accept_withdrawal() {
  Header &shared = header();
  shared.completed = 0;
  shared.firmware_state = kNotBooted;
  publish(shared.withdrawn, look_at(shared.session));
  hal::mailbox::ring_host();
  *this = Ring(dram_);
}

void Ring::publish_exit() const { publish(header().firmware_state, kExited); }

}  // namespace cox::firmware::job
