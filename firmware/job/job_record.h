// SPDX-License-Identifier: MIT
// The processor's record of a job, from when it takes the job until it retires the job. The record has only what the order of jobs needs.
// The processor copies and checks the whole descriptor later, when the job's turn has come.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/firmware/job/job_queue.h"

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
  /// Not 0: the job found no room, and no run has ended since then that could have made room. From kEngineBusy on: it waits for the run on
  /// engine `blocked` - kEngineBusy (stream::StreamRuns). No job can pass it on that engine, so `passed` does not count then.
  std::uint8_t blocked = 0;
  std::uint8_t train = 0;  ///< number of the run's train (LookAhead), 1 to kLookAhead; 0: the job has none

  static constexpr std::uint8_t kNoRoom = 1;
  static constexpr std::uint8_t kEngineBusy = 2;

  [[nodiscard]] Kind job_kind() const { return static_cast<Kind>(kind); }
};
static_assert(sizeof(JobRecord) == 8);

/// The records of the oldest job that is not done and of the jobs behind that job, by running number. A train is a sequence of runs of one
/// owner and one priority that stand directly behind each other. Its runs begin in this order, so while one waits, those behind it wait.
class LookAhead {
 public:
  JobRecord &operator[](std::uint32_t number) { return records_[number % kLookAhead]; }
  const JobRecord &operator[](std::uint32_t number) const { return records_[number % kLookAhead]; }

  /// Adds a run behind job `number` - 1.
  void add_run(std::uint32_t number, const JobRecord &run) {
    const JobRecord &before = (*this)[number - 1];
    const bool joins = before.train != 0 && before.owner == run.owner && before.priority == run.priority;
    if (!joins) last_train_ = static_cast<std::uint8_t>(last_train_ % kLookAhead + 1);
    train_ends_[last_train_ - 1U] = number + 1;
    (*this)[number] = run;
    (*this)[number].train = last_train_;
  }
  /// Returns the job behind `number` or, if `number` is a run that waits, the first job behind its train.
  [[nodiscard]] std::uint32_t behind(std::uint32_t number) const {
    const JobRecord &job = (*this)[number];
    return job.stage == Stage::waiting && job.train != 0 ? train_ends_[job.train - 1U] : number + 1;
  }

  /// Returns the number of the first job of [`first`, `last`) that waits, or `last`.
  [[nodiscard]] std::uint32_t first_waiting(std::uint32_t first, std::uint32_t last) const {
    while (first != last && (*this)[first].stage != Stage::waiting) ++first;
    return first;
  }

 private:
  static_assert((kLookAhead & (kLookAhead - 1)) == 0, "numbers wrap at 2^32");
  std::array<JobRecord, kLookAhead> records_;
  std::array<std::uint32_t, kLookAhead> train_ends_{};  ///< [train - 1]: the job behind the train
  std::uint8_t last_train_ = 0;
};

}  // namespace cox::firmware::job
