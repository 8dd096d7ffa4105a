// SPDX-License-Identifier: MIT
// What the scheduler has counted since initialise().
#pragma once

#include <cstdint>

namespace cox::firmware::schedule {

/// Counts of runs that have ended.
struct RunTotals {
  std::uint64_t instructions = 0;  ///< instructions dispatched
  std::uint32_t runs = 0;
  std::uint32_t failures = 0;  ///< runs that ended with an error
  std::uint32_t retries = 0;   ///< restarts of runs
};

struct Totals : RunTotals {
  std::uint32_t core_resets = 0;
  std::uint32_t bad_completions = 0;   ///< completions that named no instruction in flight, or were lost
  std::uint32_t lost_doorbells = 0;    ///< doorbells that were lost and rung again
  std::uint32_t corrected_errors = 0;  ///< errors that ECC corrected
};

}  // namespace cox::firmware::schedule
