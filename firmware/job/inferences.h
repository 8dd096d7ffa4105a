// SPDX-License-Identifier: MIT
// The inferences of a run that computes several (docs/jobs.md, Several inferences).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/firmware/schedule/bindings.h"
#include "coxswain/firmware/schedule/scheduler.h"

namespace cox::firmware::job {

/// Memory in DRAM by the low bits of its bus address, as many as the core computes with, from the first byte to the last. It is empty if
/// `last` is less than `first`.
struct Extent {
  std::uintptr_t first = 1;
  std::uintptr_t last = 0;

  [[nodiscard]] bool overlaps(const Extent &other) const { return first <= other.last && other.first <= last; }
};

/// Memory that a run uses.
struct MemoryUse {
  std::array<Extent, kWindows> windows{};
  std::uint8_t written = 0;  ///< bit i: the run writes to window i (schedule::is_written())
};

class Inferences {
 public:
  /// Takes the inferences that `job` asks for, of which the first has `windows`; it writes window i if bit i of `written` is 1. Errors
  /// (`what` is "windows", `index` the window):
  /// - misaligned_address: the stride (`value`) is not a multiple of schedule::kWindowAlignment;
  /// - window_outside_dram: the window of the last inference;
  /// - window_overlap: the window of an inference overlaps `reserved`, or two windows with different strides overlap and one is written.
  Status take(const Request &job, const schedule::RunWindows &windows, std::uint32_t written, const schedule::MemoryRange &dram,
              std::span<const schedule::MemoryRange> reserved) {
    left_ = done_ = 0;
    return (job.flags & kInferences) == 0 ? Status() : plan(job, windows, written, dram, reserved);
  }
  /// Adds the windows of all other inferences to the memory of the one on the device.
  void widen(MemoryUse &memory) const;

  /// True if there are inferences behind the one that is on the device.
  [[nodiscard]] bool any_left() const { return left_ != 0; }
  /// Number of inferences that have ended well.
  [[nodiscard]] std::uint32_t done() const { return done_; }
  /// Moves `windows` to their places in the next inference.
  void move(schedule::RunWindows &windows) const;
  /// Counts the inference on the device, which has ended well.
  void count() {
    --left_;
    ++done_;
  }

 private:
  Status plan(const Request &job, const schedule::RunWindows &windows, std::uint32_t written, const schedule::MemoryRange &dram,
              std::span<const schedule::MemoryRange> reserved);

  std::array<std::uint32_t, kWindows> strides_{};  ///< bytes; a stride is not larger than DRAM
  std::uint32_t left_ = 0, done_ = 0;
};

}  // namespace cox::firmware::job
