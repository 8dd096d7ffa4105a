// SPDX-License-Identifier: MIT
// The job ring as the firmware sees it (docs/jobs.md). Descriptors are copied before they are checked, and invalid counts are refused
// before any descriptor is touched.
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/firmware/schedule/bindings.h"
#include "coxswain/firmware/schedule/run_report.h"
#include "coxswain/hal/bus.h"

namespace cox::firmware::job {

class Ring {
 public:
  /// The submitter will put the ring at the base of `dram`.
  explicit Ring(const schedule::MemoryRange &dram) : dram_(dram), header_(hal::core_pointer<Header>(dram.address)) {}

  enum class Look : std::uint8_t {
    none,       ///< the submitter has not made a ring yet
    open,       ///< the ring is valid, and submitted() is up to date
    refused,    ///< the ring is invalid; firmware_error says why
    withdrawn,  ///< the submitter withdraws the ring; it waits for accept_withdrawal()
  };
  /// Reads the header once.
  Look look();

  /// Running counts, modulo 2^32. A job's number is the count of jobs before it.
  [[nodiscard]] std::uint32_t submitted() const { return submitted_; }
  [[nodiscard]] std::uint32_t taken() const { return taken_; }
  [[nodiscard]] std::uint32_t completed() const { return completed_; }
  /// Returns true if the job was in the ring when the watchdog reset the firmware.
  [[nodiscard]] bool is_left_over(std::uint32_t number) const { return number - resumed_from_ < left_over_; }
  [[nodiscard]] bool leave_when_done() const { return leave_when_done_; }
  /// Returns the memory of the ring.
  [[nodiscard]] const schedule::MemoryRange &range() const { return range_; }

  /// True if there is a job to take, and it is less than kLookAhead behind the oldest job that is not done.
  [[nodiscard]] bool can_take() const { return taken_ != submitted_ && taken_ - completed_ < kLookAhead; }
  /// Takes the next job and returns its number. taken() must not have reached submitted().
  std::uint32_t take() { return taken_++; }
  /// Returns how far the job was when the watchdog reset the firmware: `running`, `done`, or `empty` if it had not begun.
  [[nodiscard]] State progress_before_reset(std::uint32_t number) const;
  /// Copies a job's request. The firmware checks and uses only the copy, so later writes of the submitter have no effect.
  void copy(std::uint32_t number, Request &job) const;
  /// As copy(), without addresses and windows.
  void copy_order(std::uint32_t number, Request &job) const;
  void mark_running(std::uint32_t number, unsigned owner) const;
  /// Writes the outcome to memory, then the state `done`. `queues` are the run's counters; without them the outcome says that it has none.
  /// `before` is the number of inferences that were added for the job. The outcome has the sum of all.
  void finish(std::uint32_t number, const Status &status, const schedule::RunSummary &report = {},
              std::span<const hal::tile::QueueCounters> queues = {}, std::uint32_t before = 0);
  /// Adds an inference to the outcome of a job that runs.
  void add_inference(std::uint32_t number, const schedule::RunSummary &report, std::span<const hal::tile::QueueCounters> queues,
                     std::uint32_t before) const;
  /// Tells the submitter that all jobs before `number` are done.
  void retire(std::uint32_t number);
  /// Rings the host if a job was finished since the last call.
  void announce();
  /// Forgets the ring and tells the submitter so. All jobs must have ended.
  void accept_withdrawal();
  /// Tells the submitter that the firmware leaves.
  void publish_exit() const;

 private:
  [[nodiscard]] Outcome &begin_outcome(std::uint32_t number) const;
  Status check(const Header &header);
  void resume(const Header &header);
  [[nodiscard]] Header &header() const { return *header_; }
  [[nodiscard]] Descriptor &descriptor(std::uint32_t number) const;

  schedule::MemoryRange dram_;
  Header *header_;
  schedule::MemoryRange range_;
  bool open_ = false;
  bool leave_when_done_ = false;
  bool any_finished_ = false;  ///< since the last announce()
  std::uint32_t capacity_ = 0;
  std::uint32_t submitted_ = 0;
  std::uint32_t taken_ = 0;
  std::uint32_t completed_ = 0;
  std::uint32_t resumed_from_ = 0;
  std::uint32_t left_over_ = 0;  ///< number of jobs, from `resumed_from_` on, that were in the ring at the reset by the watchdog
};

/// Returns the whole blocks (kBlock) that `range` touches.
[[nodiscard]] constexpr schedule::MemoryRange blocks_of(const schedule::MemoryRange &range) {
  const std::uint64_t first = range.address / kBlock * kBlock;
  return {first, (range.address + range.size - first + kBlock - 1) / kBlock * kBlock};
}

/// Returns the object at a bus address in DRAM.
template <typename T>
T *at(std::uint64_t address) {
  return hal::core_pointer<T>(address);
}

}  // namespace cox::firmware::job
