// SPDX-License-Identifier: MIT
// The runs of programs on one engine that runs streams, one after another (docs/jobs.md, Runs of streams).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "firmware/image/loaded_task.h"
#include "firmware/schedule/run_report.h"
#include "firmware/schedule/run_table.h"
#include "hal/accelerator.h"
#include "hal/stream_engine.h"

namespace cox::firmware::stream {

class EngineRun {
 public:
  EngineRun() = default;
  EngineRun(const EngineRun &) = delete;
  EngineRun &operator=(const EngineRun &) = delete;

  /// Attaches the engine to an open accelerator, unless it is attached already. `on_completion` calls take_completion(). Errors: those of
  /// hal::Accelerator and hal::StreamEngine; timeout if the engine did not reset after an earlier run.
  Status attach(hal::Accelerator &accelerator, registers::Engine engine, void (*on_completion)());

  [[nodiscard]] bool is_busy() const { return state_ != State::idle; }
  [[nodiscard]] bool has_ended() const { return state_ == State::ended; }
  /// True if a run must begin again: the caller writes the task's constants, and then calls restart().
  [[nodiscard]] bool must_restart() const { return state_ == State::restarting; }
  [[nodiscard]] const image::LoadedTask &task() const { return *task_; }
  [[nodiscard]] unsigned context() const { return context_; }
  [[nodiscard]] std::span<const hal::Window, hal::kWindows> windows() const { return windows_; }

  /// Starts a task on `windows`. The engine is attached and not busy; the task's constants are in the windows; the task outlives the run.
  /// Errors, with nothing started: those of ProgramKind::bind() and of hal::configure_context().
  Status start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows, const schedule::RunOptions &options);
  void restart();
  /// Stops the run. It ends with `cancelled`; a run that has ended keeps its report.
  void cancel();
  /// Ends a run whose stream has ended. Otherwise checks the time limit and, at most each kLookInterval, the device.
  void look();
  /// Frees the engine of a run that has ended, and returns the run's report.
  [[nodiscard]] schedule::RunReport take_report();

  /// Handles the completion interrupt.
  void take_completion();

 private:
  enum class State : std::uint8_t { idle, running, restarting, ended };

  Status prepare_engine();
  Status launch();
  void set_clock(bool runs);
  void finish(const hal::StreamCompletion &completion);
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

  State state_ = State::idle;
  const image::LoadedTask *task_ = nullptr;
  std::array<hal::Window, hal::kWindows> windows_{};
  std::span<const std::byte> code_;  ///< the stream that runs
  std::uint32_t time_limit_ = 0;     ///< microseconds
  std::uint64_t deadline_ = 0, last_look_ = 0, quiet_since_ = UINT64_MAX;
  std::uint64_t control_start_ = 0;
  std::uint8_t retries_left_ = 0, owner_ = 0;
  // Parts of the report.
  Status status_;
  std::uint64_t start_cycle_ = 0, end_cycle_ = 0, counted_cycle_ = 0, control_instructions_ = 0, fault_address_ = 0;
  std::uint8_t retried_ = 0, warnings_ = 0;

  // Written by take_completion().
  std::optional<hal::StreamCompletion> completion_;
  bool is_blocked_ = false;  ///< the interrupt came without a completion, and is disabled since then
};

}  // namespace cox::firmware::stream
