// SPDX-License-Identifier: MIT
// Fair shares of device time (docs/jobs.md, Shares): of the owners that want the device at a time, each gets as much of it as its weight
// says.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/job/job_queue.h"

namespace cox::firmware::job {

class Owners {
 public:
  struct Account {
    std::uint64_t device_cycles = 0;  ///< of its runs that ended: cycles from start to end, times cores
    std::uint64_t virtual_time = 0;   ///< device cycles by weight, since the owner last had nothing to do
    std::uint32_t jobs = 0;           ///< done
    std::uint8_t active = 0;          ///< jobs that wait or run
    std::uint8_t weight = 1;
  };

  [[nodiscard]] const Account &account(unsigned owner) const { return accounts_[owner]; }
  /// Whose turn it is: the least comes first.
  [[nodiscard]] std::uint64_t virtual_time(unsigned owner) const { return accounts_[owner].virtual_time; }

  /// A job of the owner waits. One that comes back begins where the others are: what it did not use meanwhile is not saved up.
  void arrive(unsigned owner);
  /// It is done.
  void leave(unsigned owner);
  void set_weight(unsigned owner, std::uint8_t weight) { accounts_[owner].weight = weight; }
  /// A run begins that will take so many device cycles, or so one thinks; it counts at once, so that an owner cannot start all that it has
  /// before the first has ended.
  void charge(unsigned owner, std::uint64_t cycles);
  /// It took so many.
  void settle(unsigned owner, std::uint64_t charged, std::uint64_t cycles);

 private:
  [[nodiscard]] std::uint64_t scaled(unsigned owner, std::uint64_t cycles) const;

  std::array<Account, kOwners> accounts_;
};

}  // namespace cox::firmware::job
