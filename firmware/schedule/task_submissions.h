// SPDX-License-Identifier: MIT
// Asynchronous runs of tasks (docs/hal.md, Asynchronous submission).
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/base/result.h"
#include "coxswain/firmware/schedule/run_report.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/hal/submissions.h"

namespace cox::firmware::schedule {

/// Starts runs and returns handles. While runs are in flight, Scheduler::start(), wait(), take() and cancel() must not be called.
class TaskSubmissions final : public hal::Submissions {
 public:
  explicit constexpr TaskSubmissions(Scheduler &scheduler) : Submissions(registers::Engine::tile), scheduler_(scheduler) {}

  /// Accepts submissions from now on. Call it after Scheduler::initialise().
  void open(hal::Accelerator &accelerator) { Submissions::open(accelerator); }
  /// Call it after Scheduler::close().
  void close() { Submissions::close(); }

  /// Starts a run as Scheduler::start_bound() does, in a critical section. So RunOptions::place_constants must be false: the caller writes
  /// the task's constants before, and cleans the inputs. A wait makes the outputs visible to the core. Errors, with nothing changed: those
  /// of Scheduler::start(); no_room ("submissions") while another thread supervises the runs.
  Result<hal::Handle> submit(const image::LoadedTask &task, const std::array<hal::Window, hal::kWindows> &windows,
                             const RunOptions &options = {});
  /// As Submissions::wait(). If the run has ended, writes its report to `*report`, unless that is null.
  Status wait(hal::Handle handle, std::uint64_t limit_us, RunReport *report, hal::AtLimit at_limit = hal::AtLimit::leave);
  using Submissions::wait;
  /// Stops the run, which ends with `cancelled`. Errors: those of check().
  Status cancel(hal::Handle handle);

 private:
  void look() override;
  bool needs_attention() override;
  void attend() override { scheduler_.start_prepared(); }
  void rest() override { scheduler_.rest(); }
  void arm() override {}  // the scheduler's interrupt is always enabled
  void stop(unsigned index) override { static_cast<void>(scheduler_.cancel(index)); }
  void show(unsigned index) override;
  Status take(unsigned index) override;
  [[nodiscard]] bool must_start() const;

  Scheduler &scheduler_;
  struct Started {
    const image::LoadedTask *task = nullptr;
    std::array<hal::Window, hal::kWindows> windows{};
    RunReport *report = nullptr;  ///< where to write the report
  };
  std::array<Started, kMaximumRuns> started_{};  ///< [context of the run]
};

static_assert(kMaximumRuns <= hal::Submissions::kMost, "the index of a submission is the run's context");

}  // namespace cox::firmware::schedule
