// SPDX-License-Identifier: MIT
// Lets the DMA engine write the constants of runs that are about to begin (docs/jobs.md, Long work). Meanwhile, the main program serves
// other jobs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "firmware/schedule/task_run.h"
#include "hal/dma.h"

namespace cox::firmware::schedule {

class ConstantMover {
 public:
  /// Uses `dma` from now on, which must be open and outlive this object. Before this call, wants() is false.
  void use(hal::Dma &dma) { dma_ = &dma; }

  /// True if the DMA engine should write the constants of a run on these windows: they have so many bytes that a list costs the core less
  /// than a copy, and their order does not matter.
  [[nodiscard]] bool wants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) const;
  /// Begins to write the constants of a run in state preparing, for which wants() is true. Error: no_room if the DMA engine has too many
  /// lists.
  Status begin(const TaskRun &run);
  /// Goes on with the constants of a run. Returns true if all are written. Errors, after which nothing is in progress: time_limit
  /// ("constants", `value` the run's limit); device_fault ("constants", `value` a registers::dma::Error, `limit` the channel).
  Result<bool> step(const TaskRun &run);
  /// Ends what begin() began.
  void abort(unsigned context);

  /// True if step() has something to do for a run. If it is false, an interrupt will come.
  [[nodiscard]] bool is_ready() const;
  /// Looks for what the DMA engine does not report. Call it at each tick.
  void supervise() {
    if (moving_ != 0) dma_->supervise();
  }

 private:
  struct Move {
    hal::Dma::Handle list{};
    std::uint32_t next = 0;  ///< index of the first constant that no list has
  };

  Status submit(const TaskRun &run);

  hal::Dma *dma_ = nullptr;
  std::uint32_t moving_ = 0;  ///< bit c: the run of context c has a list
  std::array<Move, kMaximumRuns> moves_;
};

}  // namespace cox::firmware::schedule
