// SPDX-License-Identifier: MIT
// The console on the board's UART. It answers commands between jobs, one line at a time. No command changes the state of the firmware.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "coxswain/firmware/job/job_processor.h"
#include "coxswain/firmware/schedule/scheduler.h"

namespace cox::firmware::console {

class Console {
 public:
  /// Scheduler and processor must outlive the console. Without an accelerator, the scheduler is not initialised, and commands that need it
  /// answer with an error.
  Console(const schedule::Scheduler &scheduler, const job::JobProcessor &jobs, bool has_accelerator = true)
      : scheduler_(scheduler), jobs_(jobs), has_accelerator_(has_accelerator) {}
  Console(const Console &) = delete;
  Console &operator=(const Console &) = delete;

  /// Reads and echoes typed characters, and answers each complete line; `help` lists the commands. Does not wait.
  void poll();

 private:
  static constexpr std::size_t kLine = 64;            ///< most characters of a command; the rest is dropped
  static constexpr unsigned kCharactersPerPoll = 64;  ///< most characters that a poll takes, so that a stuck key cannot stop the jobs

  void take(char character);
  void answer(std::string_view line) const;
  void print_help() const;
  // Defined in device.cpp.
  void print_clocks() const;
  void print_engines() const;
  // Defined in queues.cpp, in a folder below this one.
  void print_queues() const;
  void print_tokens() const;
  // Defined in jobs.cpp.
  void print_tasks() const;
  void print_jobs() const;
  void print_owners() const;
  void print_statistics() const;
  // Defined in faults.cpp.
  static void print_faults();

  const schedule::Scheduler &scheduler_;
  const job::JobProcessor &jobs_;
  bool has_accelerator_;
  std::array<char, kLine> line_{};
  std::size_t length_ = 0;
};

/// Prints the last action of the previous boot, if it is known.
void print_last_boot();

/// Prints what the image's version record says, in lines that begin with `prefix`.
void print_version(std::string_view prefix);

}  // namespace cox::firmware::console
