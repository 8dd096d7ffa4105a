// SPDX-License-Identifier: MIT
// A list of jobs for one boot of the firmware, with their memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coxswain/base/status.h"
#include "tools/run/boards/board.h"
#include "tools/run/jobs/job_memory.h"

namespace cox::tests {

/// The result of a job, read from memory after the machine is off.
struct JobResult {
  firmware::job::State state;
  ErrorCode error;
  std::int32_t index;
  std::string what;
  firmware::job::Outcome job;
};

class JobList {
 public:
  explicit JobList(std::uint32_t capacity) : memory_(tools::run::native_board_map().dram_base, capacity) {}

  /// Places `bytes` in memory before the boot, and returns the address.
  std::uint64_t place(std::vector<std::uint8_t> bytes, std::uint64_t remainder = 0);

  /// Adds a job and returns its number.
  std::size_t load(const std::vector<std::uint8_t> &image, std::uint32_t slot, std::uint8_t owner = 0);
  std::size_t unload(std::uint32_t slot);
  std::size_t run(std::uint32_t slot, const std::vector<firmware::job::Window> &windows, std::uint32_t time_limit_us = 0);
  std::size_t add(const firmware::job::Request &job) { return memory_.add(job); }

  /// Boots `board`, waits for all jobs and switches it off. Throws tools::Failure on an error.
  void execute(tools::run::Board &board);

  [[nodiscard]] const firmware::job::Request &request(std::size_t job) const { return memory_.request(job); }
  [[nodiscard]] JobResult outcome(std::size_t job) const;
  /// Returns memory after the machine is off.
  [[nodiscard]] std::vector<std::uint8_t> bytes(std::uint64_t address, std::uint64_t size) const;

 private:
  struct Contents {
    std::uint64_t address;
    std::vector<std::uint8_t> bytes;
  };

  tools::run::JobMemory memory_;
  std::vector<Contents> contents_;
};

}  // namespace cox::tests
