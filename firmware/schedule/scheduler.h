// SPDX-License-Identifier: MIT
// The task scheduler (docs/scheduler.md): interprets the dependency bits of tile instructions and keeps the nine queues of a tile core
// fed, driven by completions. Several tasks run side by side, each in a context of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "firmware/image/loader.h"
#include "firmware/schedule/run_report.h"
#include "firmware/schedule/task_run.h"
#include "hal/completion_queue.h"
#include "hal/context.h"
#include "hal/device.h"
#include "hal/submission_queue.h"

namespace cox::firmware::schedule {

inline constexpr unsigned kMaximumContexts = 16;
inline constexpr unsigned kSubmissionSizeLog2 = 8;
inline constexpr unsigned kCompletionSizeLog2 = 8;
/// Memory for the rings, in bytes; aligned to 64.
inline constexpr std::size_t kQueueBytes =
    isa::tile::kClasses * (hal::SubmissionQueue::kSlotBytes << kSubmissionSizeLog2) + (sizeof(hal::Completion) << kCompletionSizeLog2);

inline constexpr std::uint32_t kDefaultTimeLimit = 10'000'000;  ///< of a run, in microseconds
/// How long the device gets to finish what it had started of a task that failed, in microseconds; then its core is reset.
inline constexpr std::uint32_t kStopLimit = 20'000;

/// How a run is to be.
struct RunOptions {
  std::uint32_t time_limit_us = 0;  ///< 0: kDefaultTimeLimit
  std::uint8_t core_mask = 0;       ///< cores that it may run on; 0: any
  std::uint8_t retries = 0;         ///< how often it may begin again after a fault that passes
};

/// One tile core (core 0) and its tasks. All functions are for the main program, not for interrupt handlers; there is one scheduler at a
/// time, for the board has one accelerator. Between calls the core's interrupts keep the queues fed.
class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;

  /// Identifies the device, brings up its queues in `memory` (at least kQueueBytes, which the device reads and writes at the same address)
  /// and connects its interrupts. unknown_device, invalid_argument, timeout.
  Status initialise(std::span<std::byte> memory);

  /// Of the device; valid after initialise().
  [[nodiscard]] const hal::Geometry &geometry() const { return geometry_; }
  [[nodiscard]] image::DeviceGeometry device_geometry() const;

  /// Starts `task` on `windows` (BAS 0 to 3) in a free context and returns that context's number. `task` must outlive the run. Nothing is
  /// touched where it refuses:
  /// - not_ready: before initialise(); invalid_argument (`task`): not a loaded task;
  /// - window_missing, window_too_small (`index` the window, `value` its size, `limit` what the task needs);
  /// - no_room: no context is free (`contexts`), or the L2 blocks or WL0 are another running task's (`L2`, `WL0`);
  /// - window_overlap (`index` the window): one task would write what another uses.
  Result<unsigned> start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows,
                         const RunOptions &options = {});

  /// Sleeps until the run in `context` has ended, for as long as its time limit and kStopLimit allow, and returns its report; the context
  /// is free then. invalid_argument: nothing was started there.
  Result<RunReport> wait(unsigned context);

  /// Stops the run in `context`, which ends with `cancelled`. invalid_argument: nothing runs there.
  Status cancel(unsigned context);

  /// The report of a run that has ended, without sleeping; the context is free then. invalid_argument: nothing was started there.
  /// not_ready: the run has not ended.
  Result<RunReport> take(unsigned context);

  /// Sleeps once, until something happened, a tick at the latest, and looks at limits and at tasks that stop.
  bool sleep();

  /// One look at limits and at tasks that stop, without sleeping: for programs with a loop of their own.
  void poll();
  [[nodiscard]] bool has_ended(unsigned context) const;

  /// For the console: the state of all contexts, and what the device did that no task accounts for.
  [[nodiscard]] const TaskRun &run(unsigned context) const { return runs_[context]; }
  /// Tokens on the counter from one class to another: put by instructions that have ended, not yet taken by dispatched ones. For runs that
  /// are running; walks the task.
  [[nodiscard]] unsigned tokens(const TaskRun &run, unsigned from, unsigned to) const;
  [[nodiscard]] const hal::SubmissionQueue &queue(unsigned index) const { return queues_[index].ring; }
  struct Totals {
    std::uint64_t instructions = 0;  ///< dispatched in runs that ended
    std::uint32_t runs = 0;          ///< that ended
    std::uint32_t failures = 0;      ///< of them with an error
    std::uint32_t core_resets = 0;
    std::uint32_t bad_completions = 0;  ///< entries that named no instruction in flight
  };
  [[nodiscard]] const Totals &totals() const { return totals_; }

 private:
  // Fed by completions: scheduler.cpp.
  void service();
  void serve();
  template <bool kSleep>
  void take_completions();
  void give_tokens(std::uint32_t context, std::uint32_t from);
  static bool dispatch(Lane &lane);
  static void follow(Lane &lane);
  static void go_on(Lane &lane);
  static void starve(Lane &lane);
  void resume_starved();
  void end(TaskRun &run, const hal::Completion &last);

  // Start and end: lifecycle.cpp.
  static void on_completion_interrupt();
  static void on_fault_interrupt();
  Status bring_up_queues();
  [[nodiscard]] Status check_start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) const;
  void read_queue_counters(std::array<hal::QueueCounters, isa::tile::kClasses> &counters) const;
  RunReport take_report(TaskRun &run);

  // When something goes wrong: recovery.cpp.
  void take_failed_completion(const hal::Completion &entry);
  void fail(TaskRun &run, const Status &status);
  void supervise();
  void look_after(TaskRun &run, std::uint64_t now);
  bool has_stopped(const TaskRun &run);
  void reset_core(const Status &others);
  [[nodiscard]] std::int32_t instruction_index(const TaskRun &run, unsigned own, std::uint32_t tag) const;
  [[nodiscard]] Status describe_delay(const TaskRun &run) const;

  static Scheduler *active_;  ///< whom the interrupts serve

  hal::CompletionQueue completions_;
  std::array<ClassQueue, isa::tile::kClasses> queues_;

  // What whoever takes completions must stop for before it sleeps, in one byte.
  static constexpr std::uint8_t kAttention = 1;  ///< a run has ended or failed, or the core must be reset: whoever waits is to look
  static constexpr std::uint8_t kStarved = 2;    ///< some lane has a group ready and found no room in its ring
  static constexpr std::uint8_t kClock = 4;      ///< the completion ring has come round: whoever waits is to look at the clock
  std::uint8_t flags_ = 0;
  bool ready_ = false;
  bool broken_ = false;  ///< the device wrote a completion of no instruction: nothing that it says can be relied on
  hal::Geometry geometry_;
  std::span<std::byte> memory_;
  Totals totals_;
  std::array<TaskRun, kMaximumContexts> runs_;
};

}  // namespace cox::firmware::schedule
