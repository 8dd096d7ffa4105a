// SPDX-License-Identifier: MIT
// Serves the job ring at the base of DRAM (firmware/job/job_queue.h, docs/jobs.md): several runs at once, of several owners. The processor
// checks each field of a descriptor before it uses it. A job that fails leaves nothing behind that another job could see.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/status.h"
#include "firmware/job/inferences.h"
#include "firmware/job/job_record.h"
#include "firmware/job/owners.h"
#include "firmware/job/ring.h"
#include "firmware/job/task_slots.h"
#include "firmware/schedule/scheduler.h"
#include "firmware/stream/stream_runs.h"

namespace cox::firmware::job {

/// A run on the device. Each task slot has at most one.
struct ActiveRun {
  static constexpr std::uint8_t kTileCores = 0xFF;  ///< value of `engine`

  bool there = false;
  std::uint8_t context = 0;
  std::uint8_t engine = kTileCores;  ///< number in StreamRuns if the task is a program of streams
  std::uint8_t owner = 0;
  std::uint32_t number = 0;   ///< running number of the run's job
  std::uint64_t charged = 0;  ///< cycles that were passed to Owners::charge()
  bool cancelled = false;     ///< its owner has cancelled it, so no other inference begins
  Inferences inferences;
  // Only if any inferences are left: those of the inference on the device.
  schedule::RunOptions options;
  schedule::RunWindows windows;
};

/// A run whose request was copied and checked, and whose windows are bound, so that it can begin. It has no place on the device yet.
struct BoundRun {
  bool there = false;
  bool follows = false;  ///< no other job could begin before it when the run of its task slot ends
  std::uint8_t task_slot = 0;
  std::uint32_t number = 0;  ///< running number of the run's job
  schedule::RunOptions options;
  schedule::RunWindows windows;
  Inferences inferences;
};

class JobProcessor {
 public:
  /// `scheduler` must be initialised. `dram` holds the ring at its base. `streams` runs the programs of other engines; without it, their
  /// loads fail. All of them must outlive the processor.
  JobProcessor(schedule::Scheduler &scheduler, const schedule::MemoryRange &dram, stream::StreamRuns *streams = nullptr)
      : scheduler_(scheduler), streams_(streams), dram_(dram), ring_(dram), slots_(dram) {}
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
  [[nodiscard]] bool can_take() const;
  [[nodiscard]] std::uint32_t first_waiting() const;
  [[nodiscard]] std::optional<std::uint32_t> choose(std::uint32_t waiting) const;
  Status admit(std::uint32_t number, const Request &job);
  bool turn();
  Status copy(std::uint32_t number, const JobRecord &record, Request &job);
  Status perform(std::uint32_t number, JobRecord &record);
  void step_load();
  void mark_running(std::uint32_t number, unsigned owner);
  void finish(std::uint32_t number, const Status &status, const schedule::RunSummary &report = {},
              std::span<const hal::tile::QueueCounters> queues = {}, std::uint32_t inferences = 0);
  void retire();
  [[nodiscard]] bool anything_runs() const { return running_ != 0; }
  void stop();
  void begin_anew();

  // Defined in runs.cpp: jobs that use the device.
  Status bind(std::uint32_t number, const Request &job);
  void bind_next(std::uint32_t number);
  Status begin_run(JobRecord &record);
  Status start(ActiveRun &run, const image::LoadedTask &task, const schedule::RunWindows &windows, const schedule::RunOptions &options);
  void note_begin(ActiveRun &run, JobRecord &record);
  [[nodiscard]] bool can_follow() const;
  void follow();
  void count_run(ActiveRun &run, unsigned task_slot, const schedule::RunSummary &report);
  void count_inference(unsigned task_slot, std::span<const hal::tile::QueueCounters> queues);
  void end_run(unsigned task_slot, const schedule::RunSummary &report, std::span<const hal::tile::QueueCounters> queues);
  [[nodiscard]] MemoryUse memory_of(unsigned task_slot, std::span<const hal::Window, kWindows> windows) const;
  [[nodiscard]] MemoryUse memory_of_bound() const;
  [[nodiscard]] MemoryUse memory_of_run(unsigned task_slot) const;
  [[nodiscard]] bool conflicts(std::uint32_t others) const;
  [[nodiscard]] bool is_engine_busy(const image::LoadedTask &task, JobRecord &record);
  bool end_runs();
  [[nodiscard]] bool has_ended(const ActiveRun &run) const;
  void unblock(std::uint8_t engine);
  Status cancel_run(const ActiveRun &run);
  Status cancel(const Request &job, std::uint32_t number);

  // Defined in memory.cpp: jobs that only use memory.
  Status begin_load(std::uint32_t number, JobRecord &record, const Request &job);
  Status read_trace(const Request &job);
  Status read_faults(const Request &job);
  Status check_reading(const Request &job, std::uint64_t least);
  [[nodiscard]] const ActiveRun *user_of(const schedule::MemoryRange &range, bool to_write) const;

  schedule::Scheduler &scheduler_;
  stream::StreamRuns *streams_;
  schedule::MemoryRange dram_;
  Ring ring_;
  TaskSlots slots_;
  Owners owners_;
  LookAhead records_;
  std::array<ActiveRun, kTaskSlots> runs_;
  BoundRun bound_;             ///< the run that is to begin, or the next one behind the runs on the device
  std::uint32_t running_ = 0;  ///< bit s: there is a run of task slot s
  std::uint32_t jobs_ = 0;
  std::uint8_t only_train_ = 0;           ///< not 0: all jobs that wait are in this train (JobRecord::train)
  bool any_blocked_ = false;              ///< there may be a record with JobRecord::blocked
  std::optional<std::uint32_t> loading_;  ///< running number of the load job in progress
  bool load_cancelled_ = false;           ///< the owner of the load in progress has cancelled it
  schedule::RunSummary last_run_;
};

}  // namespace cox::firmware::job
