// SPDX-License-Identifier: MIT
// The runs of tasks, one in each context: how they start, stop, begin again, and what is reported of them (docs/scheduler.md, When
// something goes wrong). All functions run with interrupts masked if they do not say otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/firmware/schedule/dispatcher.h"
#include "coxswain/firmware/schedule/task_run.h"
#include "coxswain/firmware/schedule/totals.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/fault_log.h"

namespace cox::firmware::schedule {

inline constexpr std::uint32_t kDefaultTimeLimit = 10'000'000;  ///< time limit of a run, in microseconds
/// Time that the device has to finish the instructions of a failed task, in microseconds. After that, the scheduler resets the task's
/// cores.
inline constexpr std::uint32_t kStopLimit = 20'000;
/// Upper limit, in microseconds, of the time from the end of an instruction until its completion entry is in memory (docs/faults.md, The
/// plan).
inline constexpr std::uint32_t kSettleTime = 10;
/// Number of polls that is guaranteed to outlast `kSettleTime`.
inline constexpr std::uint32_t kSettlePolls = 128;

/// Options of a run.
struct RunOptions {
  std::uint32_t time_limit_us = 0;     ///< time limit of each attempt; 0: kDefaultTimeLimit
  std::uint8_t core_mask = 0;          ///< bit c: the run may use tile core c; 0: it may use all
  std::uint8_t retries = 0;            ///< largest number of restarts after a transient fault, if TaskNeeds::restartable
  bool place_constants = false;        ///< if true, start() writes the task's constants to the windows, once there is room for the run
  bool read_counters = true;           ///< the report gets RunReport::queues and RunReport::clocked_cycles
  std::uint8_t owner = hal::kNoOwner;  ///< owner of the run, for the fault log; the device clears L2 and WL0 before a run of another owner

  /// The cores that the run may use, bit c is core c.
  [[nodiscard]] constexpr std::uint8_t allowed_cores() const { return core_mask == 0 ? std::uint8_t{0xFF} : core_mask; }
};

// kNoOwner in the fault log means that there was no owner.
static_assert(hal::kNoOwner == hal::FaultRecord::kNone);

class RunTable : private RunEvents {
 public:
  explicit RunTable(Dispatcher &dispatcher) : dispatcher_(dispatcher) {}

  /// Makes the dispatcher report to this table. Runs take their contexts from `accelerator`.
  void initialise(hal::Accelerator &accelerator);

  [[nodiscard]] std::span<const TaskRun, kMaximumRuns> runs() const { return runs_; }
  /// Returns the runs that have a context. Only the main program changes which these are.
  [[nodiscard]] UsedRuns used() const { return {runs_, used_}; }
  [[nodiscard]] const RunTotals &totals() const { return totals_; }
  [[nodiscard]] std::uint32_t lost_completions() const { return lost_completions_; }

  /// Returns a free context. Error: no_room, "contexts". Interrupts may be enabled.
  [[nodiscard]] Result<unsigned> free_context() const;
  /// Starts `task` in a free context, on its cores from `first_core` on. Interrupts are enabled.
  Status start(unsigned context, const image::LoadedTask &task, const RunWindows &windows, const RunOptions &options, unsigned first_core);
  /// Does start() without starting: the run has its place, and is in state preparing until restart() or end_prepared(). Interrupts are
  /// enabled.
  void prepare(unsigned context, const image::LoadedTask &task, const RunWindows &windows, const RunOptions &options, unsigned first_core);
  /// Takes a run in state restarting back to state preparing. Interrupts are enabled.
  void prepare_again(unsigned context);
  /// Gives up a run in state preparing as if start() had failed. Interrupts are enabled.
  void forget(unsigned context);
  /// Ends a run in state preparing with an error. Interrupts may be enabled.
  void end_prepared(unsigned context, const Status &status);
  /// Starts a run that is in state preparing or restarting. If there are no better cores, it takes its previous ones. Interrupts are
  /// enabled.
  void restart(unsigned context);
  /// As Scheduler::cancel(), for a run that was started and is not in state preparing.
  void cancel(unsigned context);

  /// Starts the task of a run that has ended well again, on windows of the same sizes and accesses, in the same context and on the same
  /// cores. `ended` gets the report of the run that has ended. Returns false, with nothing changed, if the run has failed or has counters
  /// to report, or if its cores have another run or are not those that choose_cores() would choose. Interrupts are enabled.
  [[nodiscard]] bool start_again(unsigned context, const RunWindows &windows, const RunOptions &options, RunSummary &ended);

  /// True if a report waits for take_report(). Interrupts may be enabled.
  [[nodiscard]] bool has_ended(unsigned context) const;
  [[nodiscard]] bool any_ended() const;
  /// Frees the context of a run that has ended. The report stays valid until the next call of start(). Interrupts may be enabled.
  const RunReport &take_report(unsigned context);

  /// Checks time limits, stops and ends failed runs, and resets cores that are marked for it. `now` is in microseconds.
  void supervise(std::uint64_t now);
  /// True if the main program is to poll, because a failed run only waits for kSettleTime to pass. kSettleTime is much shorter than a
  /// sleep. After kSettlePolls polls the answer is false, because time on the native board passes only in sleep.
  [[nodiscard]] bool should_poll();
  /// One look at a running run. `quiet`: the device has finished all of its instructions in the queues. At the second such look in a row,
  /// the run fails, because a completion was lost.
  void count_look(unsigned context, bool quiet);

 private:
  // Start and end; defined in run_table.cpp.
  TaskRun &set_up(unsigned context, const image::LoadedTask &task, const RunWindows &windows, const RunOptions &options);
  static void place(TaskRun &run, unsigned first_core);
  static void set_options(TaskRun &run, const RunOptions &options);
  Status configure_and_launch(TaskRun &run, unsigned first_core);
  void launch(TaskRun &run);
  void complete(TaskRun &run);
  void count_work(TaskRun &run) const;
  void on_end(unsigned context, std::uint64_t end_cycle) override;

  // Handling of faults; defined in recovery.cpp.
  void on_fault(const hal::Completion &entry) override;
  void abort(TaskRun &run, const Status &status, bool passing);
  void fail(TaskRun &run, const Status &status, bool passing);
  void fail_all(unsigned core, const Status &status, const hal::FaultRecord &cause);
  void look_after(TaskRun &run, std::uint64_t now);
  bool has_stopped(TaskRun &run, std::uint64_t now);
  void reset_stuck(TaskRun &run);
  void finish_stopped(TaskRun &run);
  void reset_marked(unsigned core);
  void reset_core(unsigned core, const Status &others);
  [[nodiscard]] const hal::Geometry &geometry() const { return dispatcher_.cores().geometry(); }

  Dispatcher &dispatcher_;
  hal::Accelerator *accelerator_ = nullptr;
  std::array<TaskRun, kMaximumRuns> runs_;
  std::uint32_t used_ = 0;
  std::uint32_t settle_polls_ = 0;  ///< polls (instead of sleeps) since a run failed
  RunTotals totals_;
  std::uint32_t lost_completions_ = 0;
};

}  // namespace cox::firmware::schedule
