// SPDX-License-Identifier: MIT
// Lets the DMA engine write the constants of runs that are about to begin (docs/jobs.md, Long work). Meanwhile, the main program serves
// other jobs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/firmware/schedule/task_run.h"
#include "coxswain/hal/dma.h"

namespace cox::firmware::schedule {

class ConstantMover {
 public:
  /// Uses `dma` from now on, which must be open and outlive this object. Before this call, wants() is false. Images and windows must lie in
  /// DRAM.
  void use(hal::Dma &dma) { dma_ = &dma; }

  /// True if the DMA engine should write the constants of a run on these windows: they have so many bytes that a list costs the core less
  /// than a copy, and their order does not matter.
  [[nodiscard]] bool wants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) const;
  /// Begins to write the constants of a run in state preparing, for which wants() is true. Returns false if the DMA engine has no list
  /// left.
  bool begin(const TaskRun &run);
  enum class Progress : std::uint8_t { moving, written, failed };
  /// Goes on with the constants of a run. Sets `failure` if it returns failed. Nothing is in progress then: time_limit ("constants",
  /// `value` the run's limit); cancelled ("task"); device_fault ("constants", `value` a registers::dma::Error, `limit` the channel);
  /// device_fault ("DMA channel", `limit` the channel) if the channel may still write to the windows; not_ready ("constants") if no channel
  /// works; no_room ("constants").
  Progress step(const TaskRun &run, Status &failure);
  /// Makes step() fail with `cancelled`: at once, or when the DMA engine has stopped, after hal::Dma::kStopLimit at the latest.
  void cancel(unsigned context);

  /// True if step() has something to do for a run. If it is false, an interrupt will come.
  [[nodiscard]] bool is_ready() const;
  /// Looks for what the DMA engine does not report. Call it at each tick.
  void supervise() {
    if (is_busy()) dma_->supervise();
  }
  /// Returns window_overlap ("DMA channel", `index` the window) if a channel that does not stop may write to a window.
  [[nodiscard]] Status check(std::span<const hal::Window, hal::kWindows> windows) const {
    return is_busy() ? check_each(windows) : Status();
  }

 private:
  struct Move {
    hal::Dma::Handle list{};
    // The first constant of which not all bytes are in a list, and its pieces of kMostRowBytes that are. Both fit for any DRAM of 1 GiB.
    std::uint32_t next : 26 = 0;
    std::uint32_t pieces : 6 = 0;
  };

  Progress submit(const TaskRun &run);
  [[nodiscard]] Status check_each(std::span<const hal::Window, hal::kWindows> windows) const;
  [[nodiscard]] bool is_busy() const { return dma_ != nullptr && dma_->is_busy(); }

  hal::Dma *dma_ = nullptr;
  std::uint32_t moving_ = 0;     ///< bit c: the run of context c has a list
  std::uint32_t cancelled_ = 0;  ///< bit c: cancel() was called for the run of context c
  std::array<Move, kMaximumRuns> moves_;
};

}  // namespace cox::firmware::schedule
