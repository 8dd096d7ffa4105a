// SPDX-License-Identifier: MIT
#include "firmware/job/ring.h"

#include <cstring>

#include "hal/barrier.h"
#include "hal/board.h"
#include "hal/cache.h"

namespace cox::firmware::job {

namespace {

static_assert(kWindows == hal::kWindows && kQueues == isa::tile::kClasses);

constexpr std::uint32_t kReady = 1;
constexpr std::uint32_t kExited = 2;
constexpr std::uint32_t kStopped = 3;

/// Reads a value exactly once, because the submitter may be writing it at this moment.
template <typename T>
T look_at(const T &shared) {
  return *static_cast<const volatile T *>(&shared);
}
template <typename T>
void publish(T &shared, T value) {
  hal::memory_barrier();
  *static_cast<volatile T *>(&shared) = value;
}

void copy_name(const char *name, char (&target)[32]) {
  std::size_t i = 0;
  for (; i + 1 < sizeof(target) && name[i] != '\0'; ++i) target[i] = name[i];
  for (; i < sizeof(target); ++i) target[i] = '\0';
}

}  // namespace

Header &Ring::header() const { return *at<Header>(dram_.address); }

Descriptor &Ring::descriptor(std::uint32_t number) const { return at<Descriptor>(dram_.address + sizeof(Header))[number % capacity_]; }

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
  // Makes the submitter's writes to the header visible.
  hal::invalidate_cache(&shared, sizeof(shared));
  if (look_at(shared.magic) != kMagic) return Look::none;
  hal::memory_barrier();
  if (!open_) {
    if (Status status = check(shared); !status.ok()) {
      publish_stop(status);
      return Look::refused;
    }
    open_ = true;
    resume(shared);
    publish(shared.firmware_state, kReady);
    hal::clean_cache(&shared, sizeof(shared));
  }
  const std::uint32_t submitted = look_at(shared.submitted);
  leave_when_done_ = (look_at(shared.flags) & kExitWhenDone) != 0;
  hal::memory_barrier();
  // The submitter must not submit more jobs than the ring holds, and must not take back a job that the firmware has taken. If `submitted`
  // is less than `completed_`, the first difference wraps around and is larger than any capacity.
  if (submitted - completed_ > capacity_ || submitted - completed_ < taken_ - completed_) {
    publish_stop({ErrorCode::invalid_argument, "submitted", -1, submitted - completed_, capacity_});
    return Look::refused;
  }
  submitted_ = submitted;
  return Look::open;
}

void Ring::copy(std::uint32_t number, Descriptor &job) const {
  Descriptor &shared = descriptor(number);
  hal::invalidate_cache(&shared, sizeof(shared));
  std::memcpy(&job, &shared, sizeof(job));
}

void Ring::mark_running(std::uint32_t number) const {
  Descriptor &shared = descriptor(number);
  publish(shared.state, State::running);
  hal::clean_cache(&shared.state, sizeof(shared.state));
}

void Ring::finish(std::uint32_t number, const Status &status, const schedule::RunReport &report) const {
  Descriptor &job = descriptor(number);
  job.error = static_cast<std::uint32_t>(status.code());
  job.error_index = status.index();
  job.error_value = status.value();
  job.error_limit = status.limit();
  copy_name(status.what(), job.error_what);
  job.start_cycle = report.start_cycle;
  job.end_cycle = report.end_cycle;
  job.control_instructions = report.control_instructions;
  job.counting_cycles = static_cast<std::uint32_t>(report.counted_cycle - report.end_cycle);
  job.accelerator_instructions = report.accelerator_instructions;
  for (unsigned i = 0; i < kQueues; ++i) {
    const hal::tile::QueueCounters &queue = report.queues[i];
    job.queues[i] = {queue.instructions, queue.busy_cycles, queue.stalled_cycles, queue.bytes};
  }
  job.clocked_cycles = report.clocked_cycles;
  job.first_core = report.first_core;
  job.cores = report.cores;
  job.retried = report.retried;
  publish(job.state, State::done);
  hal::clean_cache(&job, sizeof(job));
}

void Ring::retire(std::uint32_t number) {
  completed_ = number;
  Header &shared = header();
  shared.uptime_us = board::microseconds();
  shared.awake_us = board::awake_microseconds();
  publish(shared.completed, number);
  hal::clean_cache(&shared, sizeof(shared));
}

void Ring::publish_exit() const {
  publish(header().firmware_state, kExited);
  hal::clean_cache(&header(), sizeof(Header));
}

void Ring::publish_stop(const Status &status) const {
  publish(header().firmware_error, static_cast<std::uint32_t>(status.code()));
  publish(header().firmware_state, kStopped);
  hal::clean_cache(&header(), sizeof(Header));
}

}  // namespace cox::firmware::job
