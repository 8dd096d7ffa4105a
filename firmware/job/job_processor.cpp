// SPDX-License-Identifier: MIT
#include "firmware/job/job_processor.h"

#include <cstring>

#include "firmware/image/loader.h"
#include "hal/barrier.h"
#include "hal/cache.h"

namespace cox::firmware::job {

using schedule::MemoryRange;

namespace {

static_assert(kWindows == hal::kWindows && kQueues == isa::tile::kClasses);

constexpr std::uint32_t kReady = 1;
constexpr std::uint32_t kExited = 2;
constexpr std::uint32_t kStopped = 3;

/// What the submitter may be writing while it is looked at.
template <typename T>
T look(const T &shared) {
  return *static_cast<const volatile T *>(&shared);
}
template <typename T>
void publish(T &shared, T value) {
  hal::memory_barrier();
  *static_cast<volatile T *>(&shared) = value;
}

/// The submitter's memory behind the core's cache: a line at a time, so that nothing beside the object is touched.
void refresh(void *object, std::size_t bytes) { hal::invalidate_cache(object, bytes); }

void copy_name(const char *name, char (&target)[32]) {
  std::size_t i = 0;
  for (; i + 1 < sizeof(target) && name[i] != '\0'; ++i) target[i] = name[i];
  for (; i < sizeof(target); ++i) target[i] = '\0';
}

void write_outcome(Descriptor &job, const Status &status, const schedule::RunReport &report) {
  job.error = static_cast<std::uint32_t>(status.code());
  job.error_index = status.index();
  job.error_value = status.value();
  job.error_limit = status.limit();
  copy_name(status.what(), job.error_what);
  job.start_cycle = report.start_cycle;
  job.end_cycle = report.end_cycle;
  job.control_instructions = report.control_instructions;
  job.accelerator_instructions = report.accelerator_instructions;
  for (unsigned i = 0; i < kQueues; ++i) {
    const hal::QueueCounters &queue = report.queues[i];
    job.queues[i] = {queue.instructions, queue.busy_cycles, queue.stalled_cycles, queue.bytes};
  }
}

template <typename T>
T *at(std::uint64_t address) {
  return reinterpret_cast<T *>(static_cast<std::uintptr_t>(address));  // NOLINT(performance-no-int-to-ptr): a bus address
}

std::int64_t signed_of(std::uint64_t value) { return static_cast<std::int64_t>(value); }

/// `what` names the address: a range of the descriptor that must lie in DRAM.
Status check_range(const MemoryRange &range, const MemoryRange &dram, std::uint64_t alignment, const char *what) {
  if (range.size == 0) return {ErrorCode::invalid_argument, what, -1, 0};
  if (!dram.contains(range)) return {ErrorCode::window_outside_dram, what, -1, signed_of(range.address), signed_of(dram.address)};
  if (range.address % alignment != 0) return {ErrorCode::misaligned_address, what, -1, signed_of(range.address), signed_of(alignment)};
  return {};
}

}  // namespace

Status JobProcessor::check_ring(const Header &header) {
  if (look(header.version) != kVersion) return {ErrorCode::unsupported, "version", -1, look(header.version), kVersion};
  capacity_ = look(header.capacity);
  const std::uint64_t bytes = sizeof(Header) + std::uint64_t{capacity_} * sizeof(Descriptor);
  if (capacity_ == 0 || bytes > dram_.size) {
    return {ErrorCode::invalid_argument, "capacity", -1, capacity_, signed_of((dram_.size - sizeof(Header)) / sizeof(Descriptor))};
  }
  ring_ = {dram_.address, bytes};
  return {};
}

JobProcessor::Progress JobProcessor::stop(Header &header, const Status &status) {
  publish(header.firmware_error, static_cast<std::uint32_t>(status.code()));
  publish(header.firmware_state, kStopped);
  hal::clean_cache(&header, sizeof(header));
  return Progress::stopped;
}

JobProcessor::Progress JobProcessor::serve_one() {
  Header &header = *at<Header>(dram_.address);
  refresh(&header, sizeof(header));
  if (look(header.magic) != kMagic) return Progress::idle;
  hal::memory_barrier();
  if (!open_) {
    if (Status status = check_ring(header); !status.ok()) return stop(header, status);
    open_ = true;
    publish(header.firmware_state, kReady);
    hal::clean_cache(&header, sizeof(header));
  }
  // Modulo 2^32, as the counts run: a count that went backwards is far ahead.
  const std::uint32_t waiting = look(header.submitted) - jobs_;
  if (waiting > capacity_) return stop(header, {ErrorCode::invalid_argument, "submitted", -1, waiting, capacity_});
  if (waiting == 0) {
    if ((look(header.flags) & kExitWhenDone) == 0) return Progress::idle;
    publish(header.firmware_state, kExited);
    hal::clean_cache(&header, sizeof(header));
    return Progress::exit;
  }

  hal::memory_barrier();
  Descriptor &shared = at<Descriptor>(dram_.address + sizeof(Header))[jobs_ % capacity_];
  refresh(&shared, sizeof(shared));
  // A copy: what is checked is what is used, whatever the submitter writes meanwhile.
  Descriptor job;
  std::memcpy(&job, &shared, sizeof(job));
  publish(shared.state, State::running);

  schedule::RunReport report;
  const Status status = perform(job, report);
  write_outcome(shared, status, report);
  publish(shared.state, State::done);
  hal::clean_cache(&shared, sizeof(shared));
  ++jobs_;
  publish(header.completed, jobs_);
  hal::clean_cache(&header, sizeof(header));
  return Progress::served;
}

Status JobProcessor::perform(const Descriptor &job, schedule::RunReport &report) {
  if (job.state != State::submitted) return {ErrorCode::invalid_argument, "state", -1, static_cast<std::int64_t>(job.state)};
  const bool known = job.kind == Kind::load || job.kind == Kind::run || job.kind == Kind::unload;
  if (!known) return {ErrorCode::invalid_argument, "kind", -1, static_cast<std::int64_t>(job.kind)};
  if (job.task_slot >= kTaskSlots) return {ErrorCode::invalid_argument, "task_slot", -1, job.task_slot, kTaskSlots - 1};
  if (job.kind == Kind::load) return load(job);
  if (!slots_[job.task_slot].task.valid()) return {ErrorCode::not_ready, "task_slot", -1, job.task_slot};
  if (job.kind == Kind::run) return run(job, report);
  slots_[job.task_slot] = TaskSlot{};
  return {};
}

unsigned JobProcessor::reserved(std::array<MemoryRange, 1 + 2 * kTaskSlots> &ranges) const {
  unsigned count = 0;
  ranges[count++] = ring_;
  for (const TaskSlot &slot : slots_) {
    if (!slot.task.valid()) continue;
    ranges[count++] = slot.image;
    ranges[count++] = slot.workspace;
  }
  return count;
}

Status JobProcessor::check_load(const Descriptor &job) const {
  const MemoryRange image{job.image_address, job.image_bytes};
  const MemoryRange workspace{job.workspace_address, job.workspace_bytes};
  if (Status status = check_range(image, dram_, image::kImageAlignment, "image_address"); !status.ok()) return status;
  if (Status status = check_range(workspace, dram_, image::kWorkspaceAlignment, "workspace_address"); !status.ok()) return status;
  if (image.overlaps(ring_)) return {ErrorCode::window_overlap, "image_address", -1, signed_of(image.address)};
  if (workspace.overlaps(image)) return {ErrorCode::window_overlap, "workspace_address", -1, signed_of(workspace.address)};
  std::array<MemoryRange, 1 + 2 * kTaskSlots> ranges;
  for (unsigned i = reserved(ranges); i-- > 0;) {
    if (workspace.overlaps(ranges[i])) return {ErrorCode::window_overlap, "workspace_address", -1, signed_of(workspace.address)};
  }
  return {};
}

Status JobProcessor::load(const Descriptor &job) {
  TaskSlot &slot = slots_[job.task_slot];
  slot = TaskSlot{};  // the submitter may reuse what was loaded there
  if (Status status = check_load(job); !status.ok()) return status;
  const MemoryRange image{job.image_address, job.image_bytes};
  const MemoryRange workspace{job.workspace_address, job.workspace_bytes};
  refresh(at<std::byte>(image.address), static_cast<std::size_t>(image.size));
  const Result<image::LoadedTask> loaded =
      image::load({at<const std::byte>(image.address), static_cast<std::size_t>(image.size)}, scheduler_.device_geometry(),
                  {at<std::byte>(workspace.address), static_cast<std::size_t>(workspace.size)});
  if (!loaded) return loaded.status();
  slot.task = loaded.value();
  slot.image = image;
  slot.workspace = workspace;
  return {};
}

Status JobProcessor::run(const Descriptor &job, schedule::RunReport &report) {
  TaskSlot &slot = slots_[job.task_slot];
  std::array<MemoryRange, kWindows> given;
  for (unsigned i = 0; i < kWindows; ++i) given[i] = {job.windows[i].address, job.windows[i].size};
  std::array<MemoryRange, 1 + 2 * kTaskSlots> ranges;
  const unsigned count = reserved(ranges);
  const auto windows = schedule::bind_windows(slot.task, given, dram_, std::span(ranges).first(count));
  if (!windows) return windows.status();
  schedule::place_constants(slot.task, windows.value());

  const Result<unsigned> context = scheduler_.start(slot.task, windows.value(), {.time_limit_us = job.time_limit_us});
  if (!context) return context.status();
  const Result<schedule::RunReport> ended = scheduler_.wait(context.value());
  if (!ended) return ended.status();
  report = ended.value();
  last_run_ = report;
  ++slot.runs;
  if (!report.status.ok()) ++slot.failures;
  return report.status;
}

}  // namespace cox::firmware::job
