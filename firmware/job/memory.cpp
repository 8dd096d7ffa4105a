// SPDX-License-Identifier: MIT
// Jobs that read and write memory without the accelerator: load, read_trace and read_faults.
#include <algorithm>
#include <cstring>

#include "coxswain/firmware/boot/boot_record.h"
#include "coxswain/firmware/job/job_processor.h"
#include "coxswain/firmware/trace/trace.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/fault_log.h"
#include "coxswain/hal/interrupt_mask.h"

namespace cox::firmware::job {

using schedule::MemoryRange;

namespace {

constexpr std::uint64_t kReadingAlignment = 8;

/// Appends plain data to a window that the submitter gave, and then writes it to memory.
class Writer {
 public:
  /// At most `most` bytes will be appended.
  Writer(const Window &window, std::size_t most) : next_(at<std::byte>(window.address)), first_(next_) {
    // The first line and the last one may also hold bytes of the submitter.
    hal::invalidate_cache(first_, static_cast<std::size_t>(std::min<std::uint64_t>(window.size, most)));
  }
  Writer(const Writer &) = delete;
  Writer &operator=(const Writer &) = delete;
  ~Writer() { hal::clean_cache(first_, static_cast<std::size_t>(next_ - first_)); }

  template <typename T>
  void append(const T &value) {
    std::memcpy(next_, &value, sizeof(value));
    next_ += sizeof(value);
  }

 private:
  std::byte *next_;
  std::byte *first_;
};

/// Returns the smaller of `there` and the number of entries, `entry` bytes each, that fit into the window after a header of `header` bytes.
std::uint32_t room_for(const Window &window, std::size_t header, std::size_t entry, std::uint32_t there) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(there, (window.size - header) / entry));
}

FaultEntry entry_of(const hal::FaultRecord &record) {
  FaultEntry entry{};
  entry.cycle = record.cycle;
  entry.detail = record.detail;
  entry.instruction = record.instruction;
  entry.queue = record.queue;
  entry.context = record.context;
  entry.fault = static_cast<std::uint8_t>(record.fault);
  entry.owner = record.owner;
  entry.error = static_cast<std::uint16_t>(record.error);
  entry.action = static_cast<std::uint8_t>(record.action);
  return entry;
}

}  // namespace

/// Begins the load of a job that was prepared. If a run of the job's owner uses the memory, the job is blocked instead.
Status JobProcessor::begin_load(std::uint32_t number, JobRecord &record, const Request &job) {
  if (Status status = slots_.check_owner(job.task_slot, job.owner); !status.ok()) return status;
  slots_.unload(job.task_slot);
  if (Status status = slots_.check_memory(job, ring_.range()); !status.ok()) return status;
  const ActiveRun *of_image = runs_.user_of({job.image_address, job.image_bytes}, false);
  const ActiveRun *of_workspace = runs_.user_of(blocks_of({job.workspace_address, job.workspace_bytes}), true);
  for (const ActiveRun *user : {of_image, of_workspace}) {
    if (user == nullptr) continue;
    if (user->owner != job.owner) {
      return {ErrorCode::window_overlap, user == of_image ? "image_address" : "workspace_address", -1,
              signed_of(user == of_image ? job.image_address : job.workspace_address), user->owner};
    }
    record.blocked = JobRecord::kNoRoom;  // a run of the same owner uses the memory: the job waits for the run's end
    any_blocked_ = true;
    return {};
  }
  load::ProgramLoad *const programs = streams_ == nullptr ? nullptr : &streams_->loader();
  if (Status status = slots_.begin_load(job, job.task_slot, job.owner, scheduler_.device_geometry(), programs); !status.ok()) return status;
  ring_.mark_running(number, job.owner);
  record.stage = Stage::loading;
  loading_ = number;
  load_cancelled_ = false;
  return {};
}

/// Checks that the window of a read_trace or read_faults job has at least `least` bytes and that no run or task uses it.
Status JobProcessor::check_reading(const Request &job, std::uint64_t least) {
  const MemoryRange range{job.windows[0].address, job.windows[0].size};
  if (range.size < least) {
    return {ErrorCode::window_too_small, "windows", 0, signed_of(range.size), signed_of(least)};
  }
  if (Status status = check_range(range, dram_, kReadingAlignment, "windows"); !status.ok()) return status.at(0);
  // The firmware writes whole lines, and no run may write to a part of them in the meantime.
  bool in_use = runs_.user_of(blocks_of(range), true) != nullptr;
  for (const MemoryRange &reserved : slots_.reserved(ring_.range())) in_use = in_use || reserved.overlaps(range);
  if (in_use) return {ErrorCode::window_overlap, "windows", 0, signed_of(range.address)};
  return {};
}

Status JobProcessor::read_trace(const Request &job) {
  if (Status status = check_reading(job, sizeof(TraceReading)); !status.ok()) return status;
  Writer writer(job.windows[0], sizeof(TraceReading) + trace::kEvents * sizeof(trace::Event));
#if defined(COX_TRACE)
  // Interrupts are masked while the whole ring is copied, about 10,000 instructions, so that events stay in order.
  const hal::InterruptMask mask;
  const std::uint32_t end = trace::count();
  const std::uint32_t events =
      room_for(job.windows[0], sizeof(TraceReading), sizeof(trace::Event), std::min<std::uint32_t>(end, trace::kEvents));
  writer.append(TraceReading{events, end - events});
  for (std::uint32_t i = end - events; i != end; ++i) writer.append(trace::event(i));
#else
  writer.append(TraceReading{});
#endif
  return {};
}

Status JobProcessor::read_faults(const Request &job) {
  if (Status status = check_reading(job, sizeof(FaultReading)); !status.ok()) return status;
  Writer writer(job.windows[0], sizeof(FaultReading) + hal::fault_log::kCapacity * sizeof(FaultEntry));
  const hal::InterruptMask mask;
  const std::uint32_t there = hal::fault_log::size();
  FaultReading reading{};
  reading.faults = room_for(job.windows[0], sizeof(FaultReading), sizeof(FaultEntry), there);
  reading.before = hal::fault_log::count() - reading.faults;
  reading.boots = boot_record::boots();
  reading.reset_cause = static_cast<std::uint32_t>(board::reset_cause());
  const boot_record::Entry &last = boot_record::last_boot();
  reading.last_boot = {.phase = static_cast<std::uint32_t>(last.phase),
                       .job = last.job,
                       .context = last.context,
                       .queue = last.queue,
                       .index = last.index,
                       .reserved = 0,
                       .microseconds = last.microseconds};
  writer.append(reading);
  for (std::uint32_t i = there - reading.faults; i != there; ++i) writer.append(entry_of(hal::fault_log::at(i)));
  return {};
}

}  // namespace cox::firmware::job
