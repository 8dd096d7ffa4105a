// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <thread>

namespace cox::tools::run {

/// While it lives, SIGINT, SIGTERM and SIGHUP (where they are not ignored) remove `folder` before they end the process: no destructor runs
/// then, and a long batch is what people interrupt. One at a time: the signals go to whoever waits for them. Throws Failure(failed).
class Interruption {
 public:
  explicit Interruption(std::string folder);
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;
  ~Interruption();

 private:
  void wait();

  std::string folder_;
  std::array<int, 2> stop_{-1, -1};  ///< a pipe: closed, it ends the thread
  int signals_ = -1;
  std::thread thread_;
};

}  // namespace cox::tools::run
