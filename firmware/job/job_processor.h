// SPDX-License-Identifier: MIT
// Serves the job ring at the base of DRAM (firmware/job/job_queue.h, docs/jobs.md): several runs at once, of several owners. The processor
// checks each field of a descriptor before it uses it. A job that fails leaves nothing behind that another job could see.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "coxswain/base/status.h"
#include "coxswain/firmware/job/active_runs.h"
#include "coxswain/firmware/job/job_record.h"
#include "coxswain/firmware/job/owners.h"
#include "coxswain/firmware/job/ring.h"
#include "coxswain/firmware/job/task_slots.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/firmware/stream/stream_runs.h"

namespace cox::firmware::job {

class JobProcessor {
 public:
  /// `scheduler` must be initialised. `dram` holds the ring at its base. `streams` runs the programs of other engines; without it, their
  /// loads fail. All of them must outlive the processor.
  JobProcessor(schedule::Scheduler &scheduler, const schedule::MemoryRange &dram, stream::StreamRuns *streams = nullptr)
      : scheduler_(scheduler), streams_(streams), dram_(dram), ring_(dram), slots_(dram), runs_(scheduler, streams, slots_) {}
  JobProcessor(const JobProcessor &) = delete;
  JobProcessor &operator=(const JobProcessor &) = delete;

  enum class Progress : std::uint8_t {
    idle,     ///< there is nothing to do until a run ends or a job comes
    served,   ///< the turn did something, and there may be more to do
    exit,     ///< all jobs are done, and the submitter wants the firmware to leave
    stopped,  ///< the ring or its count of jobs is invalid (Header::firmware_error says why), and all runs are cancelled
  };
  /// Does one turn: takes jobs from the ring, ends those whose runs have ended, begins one, and does a step of the load in progress, if
  /// there is one (load::kStepInstructions). Does not wait. Clears the flag of wake_flag.h first.
  Progress serve();

  [[nodiscard]] const TaskSlot &slot(unsigned index) const { return slots_.slot(index); }
  [[nodiscard]] const ActiveRun &active_run(unsigned task_slot) const { return runs_[task_slot]; }
  [[nodiscard]] const Owners &owners() const { return owners_; }
  [[nodiscard]] const Ring &ring() const { return ring_; }
  /// Returns the record of a job that was taken and is not retired yet.
  [[nodiscard]] const JobRecord &record(std::uint32_t number) const { return records_[number]; }
  /// Returns the number of jobs that are done.
  [[nodiscard]] std::uint32_t jobs() const { return jobs_; }
  /// Returns the report of the run that ended last.
  [[nodiscard]] const schedule::RunSummary &last_run() const { return last_run_; }

 private:
  // Defined in job_processor.cpp: taking, ordering and finishing jobs.
  void take_jobs();
  Status admit(std::uint32_t number, const Request &job);
  bool turn();
  Status copy(std::uint32_t number, const JobRecord &record, Request &job);
  Status perform(std::uint32_t number, JobRecord &record);
  void step_load();
  void finish(std::uint32_t number, const Status &status, const schedule::RunSummary &report = {},
              std::span<const hal::tile::QueueCounters> queues = {}, std::uint32_t inferences = 0);
  void retire();
  void stop();

  // Defined in runs.cpp: jobs that use the device.
  Status bind(std::uint32_t number, const Request &job);
  void bind_next(std::uint32_t number);
  void bind_behind(std::uint32_t begun);
  Status begin_run(JobRecord &record);
  void note_begin(JobRecord &record);
  [[nodiscard]] bool can_follow() const;
  void follow();
  bool go_on(unsigned task_slot);
  void count_run(unsigned task_slot, const schedule::RunSummary &report);
  void count_inference(unsigned task_slot, std::span<const hal::tile::QueueCounters> queues);
  void end_run(unsigned task_slot, const schedule::RunSummary &report, std::span<const hal::tile::QueueCounters> queues);
  bool end_runs();
  void unblock(std::uint8_t engine);
  Status cancel(const Request &job, std::uint32_t number);

  // Defined in memory.cpp: jobs that only use memory.
  Status begin_load(std::uint32_t number, JobRecord &record, const Request &job);
  Status read_trace(const Request &job);
  Status read_faults(const Request &job);
  Status check_reading(const Request &job, std::uint64_t least);

  schedule::Scheduler &scheduler_;
  stream::StreamRuns *streams_;
  schedule::MemoryRange dram_;
  Ring ring_;
  TaskSlots slots_;
  Owners owners_;
  LookAhead records_;
  ActiveRuns runs_;
  BoundRun bound_;  ///< the run that is to begin, or the next one behind the runs on the device
  std::uint32_t jobs_ = 0;
  std::uint8_t only_train_ = 0;           ///< not 0: all jobs that wait are in this train (JobRecord::train)
  bool any_blocked_ = false;              ///< there may be a record with JobRecord::blocked
  std::optional<std::uint32_t> loading_;  ///< running number of the load job in progress
  bool load_cancelled_ = false;           ///< the owner of the load in progress has cancelled it
  schedule::RunSummary last_run_;
};

}  // namespace cox::firmware::job
