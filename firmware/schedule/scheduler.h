// SPDX-License-Identifier: MIT
// The task scheduler (docs/scheduler.md). It interprets the dependency bits of tile instructions and, driven by completions, keeps the nine
// queues of each tile core fed. Several tasks run side by side, each in a context of its own, on one to four cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/schedule/constant_mover.h"
#include "coxswain/firmware/schedule/dispatcher.h"
#include "coxswain/firmware/schedule/run_report.h"
#include "coxswain/firmware/schedule/run_table.h"
#include "coxswain/firmware/schedule/totals.h"
#include "coxswain/firmware/schedule/watch.h"
#include "coxswain/hal/accelerator.h"

namespace cox::firmware::schedule {

/// The tile cores and their tasks. Only the main program calls these functions, never an interrupt handler. There is one scheduler, because
/// the board has one accelerator. Between calls, interrupts keep the queues fed.
class Scheduler {
 public:
  Scheduler() : runs_(dispatcher_), watch_(dispatcher_, runs_) {}
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  /// Attaches the tile cores to an open accelerator, brings up their queues in its queue memory, kCoreQueueBytes for each core, and
  /// connects their interrupts. Tile cores have no clock until a task runs. The accelerator must not move until close(). Errors, with the
  /// cores not attached: those of hal::Accelerator::attach(); unknown_device; timeout.
  Status initialise(hal::Accelerator &accelerator);
  /// From now on, the DMA engine writes the constants of runs if they are many (RunOptions::place_constants). `dma` must be open and
  /// outlive the scheduler.
  void move_constants_with(hal::Dma &dma) { constants_.use(dma); }
  /// Resets the tile cores and detaches them. Errors, with nothing changed: not_ready ("scheduler") before initialise(); not_ready ("runs",
  /// `index` the context) if wait() or take() has not returned the report of a run; timeout if a core does not reset.
  Status close();

  /// Geometry of the device; valid after initialise().
  [[nodiscard]] const hal::Geometry &geometry() const { return dispatcher_.cores().geometry(); }
  [[nodiscard]] image::DeviceGeometry device_geometry() const;

  /// Starts `task` on `windows` (BAS 0 to 3) in a free context and returns the context's number. The task gets neighbouring cores that the
  /// options allow and on which its L2 blocks and WL0 units are free. If there is a choice, it gets the cores with the fewest tasks. `task`
  /// must outlive the run. Errors, with what() in quotes (nothing is changed):
  /// - not_ready: "scheduler" before initialise(), "tile core" if no core works.
  /// - invalid_argument, "task": the task is not loaded.
  /// - window_missing, window_too_small: `index` is the window, `value` its size, and `limit` the size that the task needs.
  /// - no_room: "contexts" if none is free, "task" if the task is running already, "cores" if too few neighbouring cores are allowed.
  /// - no_room, "L2" or "WL0": on all cores that the task could get, running tasks have L2 blocks or WL0 units that it needs.
  /// - window_overlap: `index` is the window. One run would write what another uses. Constants count as written (is_written()).
  Result<unsigned> start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows,
                         const RunOptions &options = {});
  /// As start(), for windows that bind_windows() has set.
  Result<unsigned> start_bound(const image::LoadedTask &task, const RunWindows &windows, const RunOptions &options);
  /// Starts the task of the run in `context` again, which has ended, on windows that bind_windows() has set. `ended` gets the report of the
  /// run. Returns false, with nothing changed, if only take_ended() and start_bound() can do it (RunTable::start_again()).
  [[nodiscard]] bool start_again(unsigned context, const RunWindows &windows, const RunOptions &options, RunSummary &ended);
  /// Returns the errors of start() that say that a run uses the task or a window: no_room ("task"), window_overlap.
  [[nodiscard]] Status check_use(const image::LoadedTask &task, const RunWindows &windows) const;

  /// Lends idle cores to a program of another engine (CoreBank::lend()). Errors: not_ready ("scheduler") before initialise(); no_room.
  Result<unsigned> lend_cores(unsigned count);
  /// Resets lent cores, on which the program has instructions that do not end.
  void reset_lent_cores(unsigned first, unsigned count);
  /// Takes lent cores back. The device has no instruction of the program there.
  void take_back_cores(unsigned first, unsigned count);

  /// Sleeps until the run in `context` has ended, frees the context, and returns the run's report. Time limit, retries and kStopLimit
  /// bound the wait. Error: invalid_argument if nothing was started there.
  Result<RunReport> wait(unsigned context);

  /// Stops the run in `context`. The run ends with `cancelled`, after kStopLimit at the latest; a run that has ended keeps its report.
  /// Error: invalid_argument if nothing was started there.
  Status cancel(unsigned context);

  /// Frees the context of a run that has ended, and returns the run's report. Does not sleep. Errors: invalid_argument if nothing was
  /// started there; not_ready if the run has not ended.
  Result<RunReport> take(unsigned context);
  /// As take(), without a copy of the report, which stays valid until the next call of start(). Requires has_ended(`context`).
  const RunReport &take_ended(unsigned context) { return runs_.take_report(context); }

  /// Sleeps once, at most until the next tick, then checks time limits and the progress of tasks that are stopping. Returns true if a run
  /// has ended and its report was not taken yet. If there is such a run already at the call, sleep() does not sleep. It does not sleep
  /// either if the flag of wake_flag.h is raised.
  bool sleep();
  /// Blocks the thread, or sleeps, at most until the next tick. Call it in a critical section that is not nested, and poll() after it.
  void rest();

  /// Checks time limits and the progress of tasks that are stopping. Does not sleep: for programs with a loop of their own.
  void poll();
  /// The two steps of poll(): supervise() in a critical section, then start_prepared() outside of one, if a run is preparing or restarting.
  void supervise();
  void start_prepared();
  [[nodiscard]] bool has_ended(unsigned context) const;

  /// Returns the state of a run, for the console (`context` < kMaximumRuns).
  [[nodiscard]] const TaskRun &run(unsigned context) const { return runs_.runs()[context]; }
  /// Returns the number of tokens on the counter from one of the task's lanes to another: those that ended instructions have put and no
  /// dispatched instruction has taken. Call only for runs that are running. The function walks the whole task.
  [[nodiscard]] unsigned tokens(const TaskRun &run, unsigned from, unsigned to) const;
  /// Returns the queue with this number, core * kClasses + class.
  [[nodiscard]] const hal::tile::SubmissionQueue &queue(unsigned number) const { return dispatcher_.cores().queue(number).ring; }
  [[nodiscard]] Totals totals() const;

 private:
  static void on_completion_interrupt();
  static void on_fault(const hal::Fault &fault);
  Status bring_up(std::span<std::byte> memory);
  [[nodiscard]] Status check_start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) const;
  bool place_constants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows);
  [[nodiscard]] bool is_used(unsigned context) const;

  Dispatcher dispatcher_;
  RunTable runs_;
  Watch watch_;
  ConstantMover constants_;
  hal::Accelerator *accelerator_ = nullptr;
  bool ready_ = false;
};

}  // namespace cox::firmware::schedule
