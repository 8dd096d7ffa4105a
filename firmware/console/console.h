// SPDX-License-Identifier: MIT
// The console on the board's UART: a line at a time, between jobs. It only looks; it changes nothing.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "firmware/job/job_processor.h"
#include "firmware/schedule/scheduler.h"

namespace cox::firmware::console {

class Console {
 public:
  /// Both must outlive this.
  Console(const schedule::Scheduler &scheduler, const job::JobProcessor &jobs) : scheduler_(scheduler), jobs_(jobs) {}
  Console(const Console &) = delete;
  Console &operator=(const Console &) = delete;

  /// Takes what has been typed, echoes it, and answers a line that came to its end: `help` lists what there is. Does not wait.
  void poll();

 private:
  static constexpr std::size_t kLine = 64;            ///< characters of a command; more are not taken
  static constexpr unsigned kCharactersPerPoll = 64;  ///< so that a stuck key cannot keep the jobs waiting

  void take(char character);
  void answer(std::string_view line) const;
  static void print_help();
  // device.cpp
  void print_clocks() const;
  void print_engines() const;
  // tile/queues.cpp
  void print_queues() const;
  void print_tokens() const;
  // jobs.cpp
  void print_tasks() const;
  void print_jobs() const;
  void print_owners() const;
  void print_statistics() const;
  // faults.cpp
  static void print_faults();

  const schedule::Scheduler &scheduler_;
  const job::JobProcessor &jobs_;
  std::array<char, kLine> line_{};
  std::size_t length_ = 0;
};

/// What the boot before this one did last, where that is known.
void print_last_boot();

}  // namespace cox::firmware::console
