// SPDX-License-Identifier: MIT
// Serves the job ring at the base of DRAM (firmware/job/job_queue.h, docs/jobs.md): one job at a time, in the order of the ring. Whatever a
// descriptor says is checked before it is used, and a job that fails leaves nothing behind that the next one could see.
#pragma once

#include <array>
#include <cstdint>

#include "base/status.h"
#include "firmware/image/loaded_task.h"
#include "firmware/job/job_queue.h"
#include "firmware/schedule/bindings.h"
#include "firmware/schedule/scheduler.h"

namespace cox::firmware::job {

/// A place that a load job fills: a task, and the memory of the submitter that it refers to.
struct TaskSlot {
  image::LoadedTask task;
  schedule::MemoryRange image;
  schedule::MemoryRange workspace;
  std::uint32_t runs = 0;
  std::uint32_t failures = 0;
};

class JobProcessor {
 public:
  /// `scheduler` must outlive this and be initialised; `dram` holds the ring at its base.
  JobProcessor(schedule::Scheduler &scheduler, const schedule::MemoryRange &dram) : scheduler_(scheduler), dram_(dram) {}
  JobProcessor(const JobProcessor &) = delete;
  JobProcessor &operator=(const JobProcessor &) = delete;

  enum class Progress : std::uint8_t {
    idle,     ///< no job waits
    served,   ///< one job was done
    exit,     ///< no job waits, and the submitter wants the firmware to leave
    stopped,  ///< the ring, or its count of jobs, cannot be: see Header::firmware_error
  };
  /// Serves the next job, if there is one. Takes as long as the job's time limit allows.
  Progress serve_one();

  [[nodiscard]] const TaskSlot &slot(unsigned index) const { return slots_[index]; }
  [[nodiscard]] std::uint32_t jobs() const { return jobs_; }
  /// The last run that did not fail to start.
  [[nodiscard]] const schedule::RunReport &last_run() const { return last_run_; }

 private:
  Status check_ring(const Header &header);
  static Progress stop(Header &header, const Status &status);
  Status perform(const Descriptor &job, schedule::RunReport &report);
  Status load(const Descriptor &job);
  Status run(const Descriptor &job, schedule::RunReport &report);
  Status check_load(const Descriptor &job) const;
  /// Memory of the ring and of all loaded tasks.
  unsigned reserved(std::array<schedule::MemoryRange, 1 + 2 * kTaskSlots> &ranges) const;

  schedule::Scheduler &scheduler_;
  schedule::MemoryRange dram_;
  schedule::MemoryRange ring_;
  bool open_ = false;  ///< the ring was found and checked
  std::uint32_t capacity_ = 0;
  std::uint32_t jobs_ = 0;  ///< served, running
  std::array<TaskSlot, kTaskSlots> slots_;
  schedule::RunReport last_run_;
};

}  // namespace cox::firmware::job
