// SPDX-License-Identifier: MIT
#include "tools/run/jobs/progress_bar.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace cox::tools::run {

ProgressBar::~ProgressBar() {
  if (drawn_ != Clock::time_point{}) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(std::size_t done) {
  using namespace std::chrono_literals;
  const Clock::time_point now = Clock::now();
  if (now - drawn_ < 100ms) return;
  drawn_ = now;
  constexpr std::size_t kCells = 40;
  const std::size_t full = total_ == 0 ? kCells : kCells * done / total_;
  const double passed = std::chrono::duration<double>(now - begin_).count();
  const std::string left =
      done == 0 ? "" : fmt::format("  {:.0f} s left", passed * static_cast<double>(total_ - done) / static_cast<double>(done));
  fmt::print(stderr, "\r[{}{}] {}/{}{}\033[K", std::string(full, '#'), std::string(kCells - full, '.'), done, total_, left);
  std::fflush(stderr);
}

}  // namespace cox::tools::run
