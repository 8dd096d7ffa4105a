// SPDX-License-Identifier: MIT
// Fair shares of device time (docs/jobs.md, Shares): owners that want the device at the same time get it in proportion to their weights.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/firmware/job/job_queue.h"

namespace cox::firmware::job {

class Owners {
 public:
  struct Account {
    std::uint64_t device_cycles = 0;  ///< sum over the owner's ended runs: device cycles of the run * number of its tile cores
    std::uint64_t virtual_time = 0;   ///< in device cycles * kLargestWeight / weight
    std::uint32_t jobs = 0;           ///< number of jobs that are done
    std::uint8_t active = 0;          ///< number of jobs that wait or run
    std::uint8_t weight = 1;
  };

  [[nodiscard]] const Account &account(unsigned owner) const { return accounts_[owner]; }
  /// Returns the owner's virtual time. The owner with the smallest virtual time goes first.
  [[nodiscard]] std::uint64_t virtual_time(unsigned owner) const { return accounts_[owner].virtual_time; }

  /// Called when a job of the owner begins to wait. An owner cannot save up time while it has no jobs: its virtual time is raised to at
  /// least the smallest virtual time of the owners that have jobs.
  void arrive(unsigned owner);
  /// Called when a job of the owner is done.
  void leave(unsigned owner) {
    --accounts_[owner].active;
    ++accounts_[owner].jobs;
  }
  void set_weight(unsigned owner, std::uint8_t weight) { accounts_[owner].weight = weight; }
  /// Called when a run begins that is expected to take `cycles`. Adds these cycles, scaled by the weight, to the owner's virtual time at
  /// once. Otherwise an owner could start all its jobs before the first has ended.
  void charge(unsigned owner, std::uint64_t cycles) { accounts_[owner].virtual_time += scaled(owner, cycles); }
  /// Called when a run has ended that took `cycles`. `charged` is what was passed to charge() when the run began.
  void settle(unsigned owner, std::uint64_t charged, std::uint64_t cycles);

 private:
  [[nodiscard]] std::uint64_t scaled(unsigned owner, std::uint64_t cycles) const {
    return accounts_[owner].weight == 1 ? cycles * kLargestWeight : divided(owner, cycles);
  }
  [[nodiscard]] std::uint64_t divided(unsigned owner, std::uint64_t cycles) const;

  std::array<Account, kOwners> accounts_;
};

}  // namespace cox::firmware::job
