// SPDX-License-Identifier: MIT
// The processor's record of a job, from when it takes the job until it retires the job. The record has only what the order of jobs needs.
// The processor copies and checks the whole descriptor later, when the job's turn has come.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/job/job_queue.h"

namespace cox::firmware::job {

enum class Stage : std::uint8_t {
  done,
  waiting,
  loading,  ///< a load in progress; at most one
  running,  ///< a run on the device
};

/// The size of a record is a power of two, so that finding a job by its number needs no multiplication.
struct alignas(8) JobRecord {
  Stage stage = Stage::done;
  std::uint8_t kind = 0;  ///< value of a Kind
  std::uint8_t owner = 0;
  std::uint8_t priority = 0;
  std::uint8_t task_slot = 0;
  std::uint8_t passed = 0;  ///< number of runs that began while this job found no room
  bool blocked = false;     ///< the job found no room, and no run has ended since then

  [[nodiscard]] Kind job_kind() const { return static_cast<Kind>(kind); }
};
static_assert(sizeof(JobRecord) == 8);

/// The records of the oldest job that is not done and of the jobs behind that job, by running number.
class LookAhead {
 public:
  JobRecord &operator[](std::uint32_t number) { return records_[number % kLookAhead]; }
  const JobRecord &operator[](std::uint32_t number) const { return records_[number % kLookAhead]; }

 private:
  static_assert((kLookAhead & (kLookAhead - 1)) == 0, "numbers wrap at 2^32");
  std::array<JobRecord, kLookAhead> records_;
};

}  // namespace cox::firmware::job
