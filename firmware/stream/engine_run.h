// SPDX-License-Identifier: MIT
// The runs of programs on one engine that runs streams, one after another (docs/jobs.md, Runs of streams).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/firmware/image/loaded_task.h"
#include "coxswain/firmware/schedule/run_report.h"
#include "coxswain/firmware/schedule/run_table.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/stream_engine.h"

namespace cox::firmware::stream {

/// What a run has of the other engines to which its program submits (docs/jobs.md, Programs that use several engines).
class Peers {
 public:
  /// Number of the first tile core, and how many cores; none if the count is 0.
  unsigned first_core = 0, cores = 0;

  /// Resets the engines and cores, so that they end what the program has submitted.
  virtual void reset() = 0;
  /// Resets the cores, which makes the words of their memories whole.
  virtual void reset_cores() = 0;

 protected:
  ~Peers() = default;
};

class EngineRun {
 public:
  EngineRun() = default;
  EngineRun(const EngineRun &) = delete;
  EngineRun &operator=(const EngineRun &) = delete;

  /// Attaches the engine to an open accelerator, unless it is attached already. `on_completion` calls take_completion(). Errors: those of
  /// hal::Accelerator and hal::StreamEngine; timeout if the engine did not reset after an earlier run.
  Status attach(hal::Accelerator &accelerator, registers::Engine engine, void (*on_completion)());

  [[nodiscard]] bool has_ended() const { return state_ == State::ended; }
  /// True if a run must begin again: the caller writes the task's constants, and then calls restart().
  [[nodiscard]] bool must_restart() const { return state_ == State::restarting; }
  [[nodiscard]] const image::LoadedTask &task() const { return *task_; }
  [[nodiscard]] unsigned context() const { return context_; }
  [[nodiscard]] std::span<const hal::Window, hal::kWindows> windows() const { return windows_; }

  /// Starts a task on `windows`. The engine is attached and not busy; the task's constants are in the windows; the task outlives the run.
  /// Errors, with nothing started: those of ProgramKind::bind() and of hal::configure_context().
  /// `peers`: for a program that submits to other engines; it outlives the run.
  Status start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows, const schedule::RunOptions &options,
               Peers *peers = nullptr);
  void restart();
  /// Starts the task's next run on `windows` as soon as a run has ended well, in the same context and with the engine's clock still
  /// running, and writes the report of the ended run to `ended`. The owner is that of the ended run, and the task's constants are in the
  /// windows. Returns false, with the report of the ended run still to be taken, if the next run must start in the usual way.
  [[nodiscard]] bool start_again(std::span<const hal::Window, hal::kWindows> windows, const schedule::RunOptions &options,
                                 schedule::RunSummary &ended);
  /// Stops the run. It ends with `cancelled`; a run that has ended keeps its report.
  void cancel();
  /// Ends a run whose stream has ended. Otherwise checks the time limit and, at most each kLookInterval, the device.
  void look();
  /// Frees the engine of a run that has ended, and returns the run's report, which is valid until the next start.
  [[nodiscard]] const schedule::RunSummary &take_report();

  /// Handles the completion interrupt.
  void take_completion();

  /// Gives the engine its clock for a run, or for a program of another engine that submits to it, until leave_clock().
  void use_clock();
  void leave_clock();
  /// Resets the engine under whatever runs there. A run of its own finds that its stream is gone. Error: that of the reset.
  Status reset_engine();

 private:
  enum class State : std::uint8_t { idle, running, restarting, ended };

  Status prepare_engine();
  Status launch();
  [[nodiscard]] Result<std::span<const std::byte>> bound_code() const;
  Status submit(std::span<const std::byte> code);
  void set_options(const schedule::RunOptions &options);
  void complete();
  void set_clock(bool runs);
  void stop_peers();
  void finish(const hal::StreamCompletion &completion);
  [[nodiscard]] bool is_peer_reset(const hal::StreamCompletion &completion) const;
  [[nodiscard]] Status explain(const hal::StreamCompletion &completion);
  [[nodiscard]] Status find_trouble(std::uint64_t now);
  void fail(const Status &status, hal::FaultRecord fault, bool passing);
  void record(hal::FaultRecord fault) const;
  void end(const Status &status);

  hal::Accelerator *accelerator_ = nullptr;  ///< set while the engine is attached
  registers::Engine engine_{};
  std::span<std::byte> queue_memory_;
  hal::StreamEngine hardware_;
  Status broken_;  ///< not ok: the engine has not reset
  unsigned context_ = 0;
  unsigned clock_users_ = 0;
  Peers *peers_ = nullptr;

  State state_ = State::idle;
  const image::LoadedTask *task_ = nullptr;
  std::array<hal::Window, hal::kWindows> windows_{};
  std::span<const std::byte> code_;  ///< the stream that runs
  std::uint32_t time_limit_ = 0;     ///< microseconds
  std::uint64_t deadline_ = 0, last_look_ = 0, quiet_since_ = UINT64_MAX;
  std::uint64_t control_start_ = 0;
  std::uint8_t retries_left_ = 0, owner_ = 0;
  schedule::RunSummary report_;
  std::array<registers::WaitingUnit, registers::kMostWaitingUnits> waiting_;  ///< of the run that failed last

  // Written by take_completion().
  hal::StreamCompletion completion_;  ///< valid if has_completion_
  bool has_completion_ = false;       ///< the stream that was submitted last has ended
  bool is_blocked_ = false;           ///< the interrupt came without a completion, and is disabled since then
};

}  // namespace cox::firmware::stream
