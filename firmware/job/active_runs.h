// SPDX-License-Identifier: MIT
// The runs on the device and the memory that they use, one run at most for each task slot.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/job/inferences.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/firmware/job/task_slots.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/firmware/stream/stream_runs.h"

namespace cox::firmware::job {

/// A run on the device.
struct ActiveRun {
  static constexpr std::uint8_t kTileCores = 0xFF;  ///< value of `engine`

  std::uint8_t context = 0;
  std::uint8_t engine = kTileCores;  ///< number in StreamRuns if the task is a program of streams
  std::uint8_t owner = 0;
  std::uint32_t number = 0;   ///< running number of the run's job
  std::uint64_t charged = 0;  ///< cycles that were passed to Owners::charge()
  bool cancelled = false;     ///< its owner has cancelled it, so no other inference begins
  Inferences inferences;
  schedule::RunOptions options;  ///< only if any inferences are left
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

class ActiveRuns {
 public:
  /// `streams` may be null. The arguments must outlive this object.
  ActiveRuns(schedule::Scheduler &scheduler, stream::StreamRuns *streams, const TaskSlots &slots)
      : scheduler_(scheduler), streams_(streams), slots_(slots) {}

  [[nodiscard]] ActiveRun &operator[](unsigned task_slot) { return runs_[task_slot]; }
  [[nodiscard]] const ActiveRun &operator[](unsigned task_slot) const { return runs_[task_slot]; }
  /// Returns the task slots with runs, a bit each.
  [[nodiscard]] std::uint32_t slots() const { return running_; }
  [[nodiscard]] bool has_run(unsigned task_slot) const { return (running_ >> task_slot & 1) != 0; }

  /// Starts a run on the engine of its task. Errors: those of Scheduler::start() or of StreamRuns::start().
  Status start(unsigned task_slot, const schedule::RunWindows &windows, const schedule::RunOptions &options);
  /// The bound run has begun for `owner`.
  void add(const BoundRun &bound, unsigned owner);
  /// The report of the run was taken.
  void remove(unsigned task_slot);
  /// True if the run of the slot has ended and its report was not taken.
  [[nodiscard]] bool has_ended(unsigned task_slot) const {
    const ActiveRun &run = runs_[task_slot];
    return run.engine == ActiveRun::kTileCores ? scheduler_.has_ended(run.context) : streams_->has_ended(run.engine);
  }
  /// Returns the windows of the inference behind the one that is on the device. Call it before the report of this one is taken.
  [[nodiscard]] schedule::RunWindows next_windows(unsigned task_slot) const;
  /// Starts the task's next run in the place of one that has ended well, and writes the report of the ended run to `ended`. Returns false
  /// if the run must start in the usual way (Scheduler::start_again(), StreamRuns::start_again()).
  [[nodiscard]] bool start_again(unsigned task_slot, const schedule::RunWindows &windows, const schedule::RunOptions &options,
                                 schedule::RunSummary &ended);
  using Counters = std::span<const hal::tile::QueueCounters>;
  /// Takes the report of a run or inference that has ended, and the counters of its queues if they were read. Both are valid until the
  /// next start or take.
  [[nodiscard]] const schedule::RunSummary &take(unsigned task_slot, Counters &counters);
  /// Ends the run, and begins no other inference. Error: invalid_argument if the run has left the scheduler.
  Status cancel(unsigned task_slot);

  struct Conflict {
    const ActiveRun *run = nullptr;  ///< null if there is no conflict
    unsigned window = 0;             ///< of the run that would begin
  };
  /// Looks for a conflict of a run that would begin with those in other task slots: one of two would write bytes that the other uses.
  [[nodiscard]] Conflict find_conflict(const BoundRun &bound) const;
  /// Returns a run that uses `range`, or nullptr if no run does. If `to_write` is false, the caller will only read the range, so only
  /// runs that write it count.
  [[nodiscard]] const ActiveRun *user_of(const schedule::MemoryRange &range, bool to_write) const;

 private:
  [[nodiscard]] MemoryUse memory_of(unsigned task_slot, std::span<const hal::Window, kWindows> windows, const Inferences &inferences) const;
  [[nodiscard]] MemoryUse memory_of_run(unsigned task_slot) const;
  [[nodiscard]] std::span<const hal::Window, kWindows> windows_of(const ActiveRun &run) const;

  schedule::Scheduler &scheduler_;
  stream::StreamRuns *streams_;
  const TaskSlots &slots_;
  std::array<ActiveRun, kTaskSlots> runs_;
  std::uint32_t running_ = 0;  ///< bit s: there is a run of task slot s
};

}  // namespace cox::firmware::job
