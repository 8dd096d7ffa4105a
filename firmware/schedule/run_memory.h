// SPDX-License-Identifier: MIT
// Lanes and groups of a running task in one piece of memory (docs/scheduler.md, The plan).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "coxswain/firmware/plan/plan.h"
#include "coxswain/hal/tile/submission_queue.h"

namespace cox::firmware::schedule {

using plan::Group;
using plan::Wake;

inline constexpr unsigned kSubmissionSizeLog2 = 8;

/// A queue of a tile core, which all tasks on this core share. Its size is a power of two, so that a shift turns a queue's number into an
/// offset.
struct alignas(32) ClassQueue {
  hal::tile::SubmissionQueue ring;
  std::uint16_t starved = 0;  ///< bit k: a group of run k is ready, but found no room in the ring
};

/// The state of a lane of a running task: pointers to the parts of the plan that come next. It lies in the memory of the plan.
struct alignas(plan::kLaneBytes) Lane {
  const Wake *wakes = nullptr;  ///< tokens of the next instruction that asks for a completion
  Group *groups = nullptr;      ///< the groups that the tokens name by their indices
  std::uint16_t run_bit = 0;    ///< the run's bit in ClassQueue::starved
  const void *unused = nullptr;
  // The last four members end the struct, so that the inner loop finds them from its end.
  NPU_CORE_SQ_Type *registers = nullptr;         ///< the registers of `queue`
  ClassQueue *queue = nullptr;                   ///< the queue that takes the lane's instructions
  const isa::tile::MachineCode *code = nullptr;  ///< the instructions of the head group
  Group *group = nullptr;                        ///< the head group
};
static_assert(sizeof(Lane) == plan::kLaneBytes);

/// Memory of a run. All parts are found from one address, so that the inner loop keeps only one pointer. Lanes lie below the address,
/// groups above it. Below the lanes lies a copy of them from the beginning of the run, for its repetition:
///
///     copies | ... lane 2 | lane 1 | lane 0 | group 0 | group 1 | ...
///                                           ^ the address
///
/// PlanBuilder reserves the room for the lanes and their copies.
class RunMemory {
 public:
  RunMemory() = default;
  explicit RunMemory(Group *groups) : groups_(groups) {}

  [[nodiscard]] Group *groups() const { return groups_; }
  [[nodiscard]] Group &group(std::uint32_t number) const { return groups_[number]; }
  [[nodiscard]] Lane &lane(std::size_t number) const { return *(reinterpret_cast<Lane *>(groups_) - 1 - number); }
  /// Returns the last of `count` lanes, which lies lowest.
  [[nodiscard]] Lane *lowest_lane(std::size_t count) const { return &lane(count - 1); }
  /// Copies all `count` lanes of the run, for restore_lanes().
  void keep_lanes(std::size_t count) const { std::memcpy(lowest_lane(2 * count), lowest_lane(count), count * sizeof(Lane)); }
  void restore_lanes(std::size_t count) const { std::memcpy(lowest_lane(count), lowest_lane(2 * count), count * sizeof(Lane)); }

 private:
  Group *groups_ = nullptr;
};

/// Finds a lane of a run by queue number. The object holds the address that the lane of queue 0 would have. It is an integer,
/// because a run that does not begin at core 0 has no lane at this address.
class LanesByQueue {
 public:
  LanesByQueue() = default;
  /// `first_queue` is the queue of the run's lane 0.
  LanesByQueue(const RunMemory &memory, std::uint32_t first_queue)
      : queue_0_(reinterpret_cast<std::uintptr_t>(&memory.lane(0)) + first_queue * sizeof(Lane)) {}

  [[nodiscard]] Lane &operator[](std::uint32_t queue) const {
    return *reinterpret_cast<Lane *>(queue_0_ - queue * sizeof(Lane));  // NOLINT(performance-no-int-to-ptr)
  }

 private:
  std::uintptr_t queue_0_ = 0;
};

}  // namespace cox::firmware::schedule
