// SPDX-License-Identifier: MIT
// Fair shares of device time (docs/jobs.md, Shares): owners that want the device at the same time get it in proportion to their weights.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/job/job_queue.h"

namespace cox::firmware::job {

class Owners {
 public:
  struct Account {
    std::uint64_t device_cycles = 0;  ///< sum over its ended runs: cycles from start to end, times cores
    std::uint64_t virtual_time = 0;   ///< the account: device cycles, scaled by weight
    std::uint32_t jobs = 0;           ///< done
    std::uint8_t active = 0;          ///< jobs that wait or run
    std::uint8_t weight = 1;
  };

  [[nodiscard]] const Account &account(unsigned owner) const { return accounts_[owner]; }
  /// The owner with the least goes first.
  [[nodiscard]] std::uint64_t virtual_time(unsigned owner) const { return accounts_[owner].virtual_time; }

  /// A job of the owner waits from now on. An owner that had no jobs begins with at least the least account of the others, so that it has
  /// saved nothing.
  void arrive(unsigned owner);
  /// A job of the owner is done.
  void leave(unsigned owner);
  void set_weight(unsigned owner, std::uint8_t weight) { accounts_[owner].weight = weight; }
  /// A run begins that is expected to take `cycles`. They count at once: otherwise an owner could start all its jobs before the first has
  /// ended.
  void charge(unsigned owner, std::uint64_t cycles);
  /// The run for which `charged` was charged has ended, and took `cycles`.
  void settle(unsigned owner, std::uint64_t charged, std::uint64_t cycles);

 private:
  [[nodiscard]] std::uint64_t scaled(unsigned owner, std::uint64_t cycles) const;

  std::array<Account, kOwners> accounts_;
};

}  // namespace cox::firmware::job
