// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <thread>

namespace cox::tools::run {

/// While an object lives, SIGINT, SIGTERM and SIGHUP remove `folder` before they end the process; a signal that the process ignores stays
/// ignored. Users interrupt long batches, and no destructor runs then. Only one object may exist at a time, because its thread takes the
/// signals. Throws Failure(failed).
class Interruption {
 public:
  explicit Interruption(std::string folder);
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;
  ~Interruption();

 private:
  void wait();

  std::string folder_;
  std::array<int, 2> stop_{-1, -1};  ///< a pipe; closing it ends the thread
  int signals_ = -1;
  std::thread thread_;
};

}  // namespace cox::tools::run
