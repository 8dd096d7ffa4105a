// SPDX-License-Identifier: MIT
// The task scheduler (docs/scheduler.md). It interprets the dependency bits of tile instructions and, driven by completions, keeps the nine
// queues of each tile core fed. Several tasks run side by side, each in a context of its own, on one to four cores.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "firmware/image/loader.h"
#include "firmware/schedule/run_report.h"
#include "firmware/schedule/task_run.h"
#include "hal/accelerator.h"
#include "hal/completion_queue.h"
#include "hal/context.h"
#include "hal/device.h"
#include "hal/fault_log.h"
#include "hal/tile/submission_queue.h"

namespace cox::firmware::schedule {

/// Memory for the queues of one tile core, in bytes; aligned to 64.
inline constexpr std::size_t kCoreQueueBytes = isa::tile::kClasses * (hal::tile::SubmissionQueue::kSlotBytes << kSubmissionSizeLog2) +
                                               (sizeof(hal::Completion) << kCompletionSizeLog2);
/// Memory for the queues of the largest number of cores.
inline constexpr std::size_t kQueueBytes = isa::tile::kMostCores * kCoreQueueBytes;

inline constexpr std::uint32_t kDefaultTimeLimit = 10'000'000;  ///< time limit of a run, in microseconds
/// Time that the device has to finish the instructions of a failed task, in microseconds. After that, the scheduler resets the task's
/// cores.
inline constexpr std::uint32_t kStopLimit = 20'000;
/// Upper limit, in microseconds, of the time from the end of an instruction until its completion entry is in memory (docs/faults.md, The
/// plan).
inline constexpr std::uint32_t kSettleTime = 10;
/// Number of polls that is guaranteed to outlast `kSettleTime`.
inline constexpr std::uint32_t kSettlePolls = 128;
/// Shortest time, in microseconds, between two calls of watch_device().
inline constexpr std::uint32_t kLookInterval = 1000;
/// Shortest time, in microseconds, between two calls of watch_device() while each wake-up finds a completion. Such a call
/// needs an extra turn of the main program, which costs about 10,000 instructions of the control core.
inline constexpr std::uint32_t kBusyLookInterval = 4000;
/// After kMostInInterrupts completions in a row, interrupts leave the control core to the main program for kMainProgramCycles device
/// cycles.
inline constexpr std::uint32_t kMostInInterrupts = 256;
inline constexpr std::uint32_t kMainProgramCycles = 32'768;

/// Options of a run.
struct RunOptions {
  std::uint32_t time_limit_us = 0;     ///< time limit of each attempt; 0: kDefaultTimeLimit
  std::uint8_t core_mask = 0;          ///< bit c: the run may use tile core c; 0: it may use all
  std::uint8_t retries = 0;            ///< largest number of restarts after a transient fault, if TaskNeeds::restartable
  bool place_constants = false;        ///< if true, start() writes the task's constants to the windows, once there is room for the run
  std::uint8_t owner = hal::kNoOwner;  ///< owner of the run, for the fault log; the device clears L2 and WL0 before a run of another owner
};

// kNoOwner in the fault log means that there was no owner.
static_assert(hal::kNoOwner == hal::FaultRecord::kNone);

/// The tile cores and their tasks. Only the main program calls these functions, never an interrupt handler. There is one scheduler, because
/// the board has one accelerator. Between calls, interrupts keep the queues fed.
class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  /// Attaches the tile cores to an open accelerator, brings up their queues in its queue memory, kCoreQueueBytes for each core, and
  /// connects their interrupts. Tile cores have no clock until a task runs. The accelerator must not move until close(). Errors, with the
  /// cores not attached: those of hal::Accelerator::attach(); unknown_device; timeout.
  Status initialise(hal::Accelerator &accelerator);
  /// Resets the tile cores and detaches them. Errors, with nothing changed: not_ready ("scheduler") before initialise(); not_ready ("runs",
  /// `index` the context) if wait() or take() has not returned the report of a run; timeout if a core does not reset.
  Status close();

  /// Geometry of the device; valid after initialise().
  [[nodiscard]] const hal::Geometry &geometry() const { return geometry_; }
  [[nodiscard]] image::DeviceGeometry device_geometry() const;

  /// Starts `task` on `windows` (BAS 0 to 3) in a free context and returns the context's number. The task gets neighbouring cores that the
  /// options allow and on which its L2 blocks and WL0 units are free. If there is a choice, it gets the cores with the fewest tasks. `task`
  /// must outlive the run. Errors, with what() in quotes (nothing is changed):
  /// - not_ready: "scheduler" before initialise(), "tile core" if no core works.
  /// - invalid_argument, "task": the task is not loaded.
  /// - window_missing, window_too_small: `index` is the window, `value` its size, and `limit` the size that the task needs.
  /// - no_room, "contexts": no context is free.
  /// - no_room, "task": the task is running already.
  /// - no_room, "cores": there are not enough neighbouring cores.
  /// - no_room, "L2" or "WL0": on all cores that the task could get, running tasks have L2 blocks or WL0 units that it needs.
  /// - window_overlap: `index` is the window. One task would write what another uses.
  Result<unsigned> start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows,
                         const RunOptions &options = {});

  /// Sleeps until the run in `context` has ended, frees the context, and returns the run's report. Time limit, retries and kStopLimit
  /// bound the wait. Error: invalid_argument if nothing was started there.
  Result<RunReport> wait(unsigned context);

  /// Stops the run in `context`. The run ends with `cancelled`, after kStopLimit at the latest; a run that has ended keeps its report.
  /// Error: invalid_argument if nothing was started there.
  Status cancel(unsigned context);

  /// Frees the context of a run that has ended, and returns the run's report. Does not sleep. Errors: invalid_argument if nothing was
  /// started there; not_ready if the run has not ended.
  Result<RunReport> take(unsigned context);

  /// Sleeps once, at most until the next tick, then checks time limits and the progress of tasks that are stopping. Returns true if a run
  /// has ended and its report was not taken yet. If there is such a run already at the call, sleep() does not sleep.
  bool sleep();

  /// Checks time limits and the progress of tasks that are stopping. Does not sleep: for programs with a loop of their own.
  void poll();
  [[nodiscard]] bool has_ended(unsigned context) const;

  /// Returns the state of a run, for the console (`context` < kMaximumRuns).
  [[nodiscard]] const TaskRun &run(unsigned context) const { return runs_[context]; }
  /// Returns the number of tokens on the counter from one of the task's lanes to another: those that ended instructions have put and no
  /// dispatched instruction has taken. Call only for runs that are running. The function walks the whole task.
  [[nodiscard]] unsigned tokens(const TaskRun &run, unsigned from, unsigned to) const;
  /// Returns the queue with this number, core * kClasses + class.
  [[nodiscard]] const hal::tile::SubmissionQueue &queue(unsigned number) const { return queues_[number].ring; }
  struct Totals {
    std::uint64_t instructions = 0;  ///< instructions dispatched in runs that ended
    std::uint32_t runs = 0;          ///< runs that ended
    std::uint32_t failures = 0;      ///< runs that ended with an error
    std::uint32_t retries = 0;       ///< restarts of runs
    std::uint32_t core_resets = 0;
    std::uint32_t bad_completions = 0;   ///< completions that named no instruction in flight, or were lost
    std::uint32_t lost_doorbells = 0;    ///< doorbells that were lost and rung again
    std::uint32_t corrected_errors = 0;  ///< errors that ECC corrected since initialise()
  };
  [[nodiscard]] const Totals &totals() const { return totals_; }

 private:
  // Driven by completions; defined in scheduler.cpp.
  void service();
  [[gnu::cold]] void set_interrupts_aside(bool aside);
  void begin_count();
  void begin_turn();
  [[nodiscard]] std::uint32_t taken() const;
  void serve();
  void serve_one(unsigned core);
  void serve_many(std::uint32_t cores);
  void take_written(CompletionQueue::Cursor &completions, const hal::Completion *next, TileCore &core);
  bool take_all(TileCore &core);
  void take_from(std::uint32_t cores);
  static void sleep_for_completion();
  void take_one(const hal::Completion &entry, TileCore &core);
  bool heed_flags();
  [[gnu::cold]] bool heed_raised_flags();
  friend void go_on(Lane &lane);
  [[gnu::cold]] static void starve(Lane &lane);
  [[gnu::cold]] void resume_starved();
  void end(TaskRun &run);

  // Start and end of runs; defined in lifecycle.cpp and placement.cpp.
  static void on_completion_interrupt();
  static void on_fault(const hal::Fault &fault);
  Status bring_up();
  Status bring_up(unsigned core);
  [[nodiscard]] Status check_start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) const;
  [[nodiscard]] Status check_windows(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) const;
  [[nodiscard]] Status check_place(const image::LoadedTask &task, unsigned first_core) const;
  [[nodiscard]] Result<unsigned> choose_cores(const image::LoadedTask &task, std::uint32_t allowed) const;
  void place_constants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows);
  Status launch(TaskRun &run, unsigned first_core);
  void leave_cores(TaskRun &run);
  void update_clocks();
  void read_counters(const TaskRun &run, std::array<hal::tile::QueueCounters, isa::tile::kClasses> &counters, std::uint64_t &clocked) const;
  RunReport take_report(TaskRun &run);
  void rest();

  // Handling of faults; defined in recovery.cpp.
  [[gnu::cold]] void take_failed_completion(const hal::Completion &entry, TileCore &core);
  [[gnu::cold]] void find_blocked(unsigned core);
  void break_core(unsigned core);
  void fail(TaskRun &run, const Status &status, bool passing);
  void fail_all(unsigned core, const Status &status, const hal::FaultRecord &cause);
  void supervise();
  void look_after(TaskRun &run, std::uint64_t now);
  [[nodiscard]] bool is_settling() const;
  bool has_stopped(TaskRun &run, std::uint64_t now);
  [[nodiscard]] bool has_working_cores(const TaskRun &run) const;
  void finish_stopped(TaskRun &run);
  void restart_failed();
  void reset_core(unsigned core, const Status &others);
  [[nodiscard]] std::int32_t instruction_index(const TaskRun &run, unsigned queue, std::uint32_t tag) const;
  [[nodiscard]] Status describe_delay(const TaskRun &run) const;
  [[nodiscard]] std::uint32_t last_of(const TaskRun &run, unsigned queue) const;

  // Checks of what only the device's registers show; defined in watch.cpp.
  void watch_device();
  void watch_core(unsigned core);
  [[nodiscard]] bool is_quiet(const TaskRun &run) const;

  static Scheduler *active_;  ///< the scheduler that the interrupts serve

  // The arrays that the inner loop indexes come first, so that short offsets reach them.
  std::array<TileCore, isa::tile::kMostCores> cores_;
  std::array<Tokens, kMaximumRuns> tokens_{};  ///< [context]
  std::array<ClassQueue, isa::tile::kMostLanes> queues_;

  // What the completion loop must handle before it sleeps, one bit each.
  static constexpr std::uint8_t kAttention = 1;  ///< a run has ended or failed, or a core must be reset
  static constexpr std::uint8_t kStarved = 2;    ///< a lane has a ready group and found no room in its ring
  static constexpr std::uint8_t kClock = 4;      ///< a submission ring has wrapped: check the time limits, unless that was done recently
  std::uint8_t flags_ = 0;
  std::uint8_t cores_in_use_ = 0;  ///< bit c: some run is on tile core c
  bool ready_ = false;
  bool interrupts_aside_ = false;
  bool main_program_was_here_ = false;  ///< the main program has had a turn since begin_count()
  std::uint32_t taken_before_ = 0;      ///< taken() at begin_count()
  const hal::Completion *last_taken_ = nullptr;
  std::uint32_t settle_polls_ = 0;  ///< polls (instead of sleeps) since a run failed
  std::uint64_t last_look_ = 0;     ///< time of the last watch_device(), in microseconds
  std::uint32_t corrected_before_ = 0;
  hal::Geometry geometry_;
  hal::Accelerator *accelerator_ = nullptr;
  std::span<std::byte> memory_;
  Totals totals_;
  std::array<TaskRun, kMaximumRuns> runs_;
  /// Queue of the end lane of each run (Plan::groups). The queue is always full. For a full queue the inner loop calls go_on(), which
  /// ends the run if the queue is this one.
  ClassQueue end_{hal::tile::SubmissionQueue::full()};
};

}  // namespace cox::firmware::schedule
