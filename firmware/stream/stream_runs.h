// SPDX-License-Identifier: MIT
// The runs of all engines that run streams. Each engine runs one program at a time, and the engines run side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "coxswain/base/result.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/firmware/stream/engine_run.h"
#include "coxswain/firmware/stream/program_kind.h"
#include "coxswain/firmware/stream/program_loader.h"
#include "coxswain/hal/accelerator.h"

namespace cox::firmware::stream {

/// Only the main program calls these functions, never an interrupt handler. There is one object, because the board has one accelerator.
class StreamRuns {
 public:
  static constexpr std::size_t kMostKinds = std::ranges::count_if(
      registers::kEngineRows, [](const registers::EngineRow &row) { return row.has_ring() && row.home == registers::Home::layers; });

  /// All arguments must outlive this object, and not move. An engine is attached to the accelerator when its first program starts.
  StreamRuns(hal::Accelerator &accelerator, schedule::Scheduler &scheduler, ProgramKinds kinds);
  StreamRuns(const StreamRuns &) = delete;
  StreamRuns &operator=(const StreamRuns &) = delete;

  /// Loads the programs that this object runs.
  [[nodiscard]] ProgramLoader &loader() { return loader_; }
  /// Returns the number of the engine that runs the task, below kMostKinds. `task` has a program.
  [[nodiscard]] unsigned number_of(const image::LoadedTask &task) const;

  [[nodiscard]] bool is_busy(unsigned number) const { return (busy_ >> number & 1) != 0; }
  /// Writes the task's constants to the windows, and starts the task on its engine, which is not busy. Ignores
  /// RunOptions::core_mask. Errors, with nothing started: those of EngineRun.
  Status start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows, const schedule::RunOptions &options);
  [[nodiscard]] unsigned context(unsigned number) const { return runs_[number].context(); }
  /// Returns the windows of the engine's run.
  [[nodiscard]] std::span<const hal::Window, hal::kWindows> windows(unsigned number) const { return runs_[number].windows(); }
  [[nodiscard]] bool has_ended(unsigned number) const { return runs_[number].has_ended(); }
  /// Frees the engine, and returns the run's report, which is valid until the engine's next start. Call only if has_ended().
  [[nodiscard]] const schedule::RunSummary &take(unsigned number) {
    busy_ &= ~(1U << number);
    if (leased_ != 0) give_back(number);
    return runs_[number].take_report();
  }
  /// As EngineRun::start_again(). Call only if has_ended(). Returns false if constants must be written.
  [[nodiscard]] bool start_again(unsigned number, std::span<const hal::Window, hal::kWindows> windows, const schedule::RunOptions &options,
                                 schedule::RunSummary &ended) {
    return !options.place_constants && runs_[number].start_again(windows, options, ended);
  }
  /// As EngineRun::cancel(). No interrupt reports the end of the run, so the flag keeps the main program awake.
  void cancel(unsigned number);
  /// Ends runs whose streams have ended, and checks the others (EngineRun::look()). Call it in each turn of the main program, after
  /// WakeFlag::clear(). A completion raises the flag.
  void poll();

 private:
  template <std::size_t kNumber>
  static void on_completion();
  void place_constants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows);

  /// Other engines' clocks and tile cores, for the run of one engine.
  class Lease final : public Peers {
   public:
    /// Attaches the engines and starts their clocks, and takes cores. Errors, with nothing taken: those of attach(); unsupported with the
    /// name of an engine that the device does not have; no_room ("cores").
    Status take(StreamRuns &runs, const image::PeerNeeds &needs);
    void give_back();
    void reset() override;
    void reset_cores() override;

   private:
    StreamRuns *runs_ = nullptr;
    unsigned engines_ = 0;  ///< bit n: engine number n of `kinds_`
  };

  Status attach(unsigned number);
  /// Ends the lease of a run, if it has one.
  [[gnu::cold]] void give_back(unsigned number);

  static StreamRuns *active_;  ///< the object that interrupts serve

  hal::Accelerator &accelerator_;
  schedule::Scheduler &scheduler_;
  ProgramKinds kinds_;
  ProgramLoader loader_;
  std::array<EngineRun, kMostKinds> runs_;
  std::array<Lease, kMostKinds> leases_;  ///< [number of the engine that runs]
  unsigned leased_ = 0;                   ///< a bit for each engine whose run has a lease
  unsigned busy_ = 0;                     ///< a bit for each engine with a run that take() has not ended; poll() looks at these alone
};

}  // namespace cox::firmware::stream
