// SPDX-License-Identifier: MIT
// The submitter's layout of the control core's DRAM: header and ring at the base, then images, workspaces and windows (docs/jobs.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coxswain/firmware/job/job_queue.h"

namespace cox::tools::run {

/// Use it in two steps. First reserve() and add() collect what is needed. Then attach() memory of at least bytes(); at() gives access to
/// this memory, and publish() submits the jobs.
class JobMemory {
 public:
  using Outcome = firmware::job::Outcome;
  using Request = firmware::job::Request;

  /// Accelerator, control core and this process never write to the same block.
  static constexpr std::uint64_t kAlignment = firmware::job::kBlock;

  /// `base`: bus address of DRAM. `capacity`: the most jobs that will be added.
  JobMemory(std::uint64_t base, std::uint32_t capacity);
  JobMemory(const JobMemory &) = delete;
  JobMemory &operator=(const JobMemory &) = delete;
  ~JobMemory();

  /// Returns the address of `bytes` new bytes with address % kAlignment == `remainder`, in blocks of their own.
  [[nodiscard]] std::uint64_t reserve(std::uint64_t bytes, std::uint64_t remainder = 0);
  /// Appends a job and returns its number.
  std::size_t add(const Request &job);
  /// Appends a job that writes up to `bytes` bytes to a window of its own. Returns this window.
  firmware::job::Window add_reading(firmware::job::Kind kind, std::size_t bytes);

  /// Returns the bytes of DRAM, from its base, that everything reserved and added so far needs.
  [[nodiscard]] std::uint64_t bytes() const { return top_ - base_; }
  [[nodiscard]] std::uint64_t base() const { return base_; }
  [[nodiscard]] std::size_t jobs() const { return jobs_.size(); }

  /// Uses `dram`: zeroed memory at base() of at least bytes(). It must outlive this object.
  void attach(std::span<std::byte> dram);
  /// Returns `bytes` bytes at a bus address. Throws std::out_of_range outside of DRAM.
  [[nodiscard]] std::span<std::byte> at(std::uint64_t address, std::uint64_t bytes) const;
  /// Makes the ring and submits the jobs. Call it before the firmware boots, so that the jobs begin in the same order each time.
  void publish(std::uint32_t flags);
  [[nodiscard]] const firmware::job::Header &header() const;
  [[nodiscard]] const Request &request(std::size_t number) const { return jobs_[number]; }
  /// Outcome::is_done() says whether the firmware has written it.
  [[nodiscard]] const Outcome &outcome(std::size_t number) const;

 private:
  class Batch;

  std::uint64_t base_;
  std::uint32_t capacity_;
  std::uint64_t top_;
  std::vector<Request> jobs_;
  std::span<std::byte> dram_;
  std::unique_ptr<Batch> batch_;  ///< from publish() on
};

}  // namespace cox::tools::run
