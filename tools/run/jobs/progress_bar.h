// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>

namespace cox::tools::run {

/// A line on standard error with the time that is left. It redraws itself at most ten times a second.
class ProgressBar {
 public:
  explicit ProgressBar(std::size_t total) : total_(total) {}
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &operator=(const ProgressBar &) = delete;
  /// Erases the line.
  ~ProgressBar();

  void show(std::size_t done);

 private:
  using Clock = std::chrono::steady_clock;
  std::size_t total_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point drawn_{};
};

}  // namespace cox::tools::run
