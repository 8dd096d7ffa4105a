// SPDX-License-Identifier: MIT
// A verified task made ready for the scheduler: lane by lane (a class on a core), with its dependency bits resolved (docs/scheduler.md, The
// plan).
//
// Tokens of an ordered pair of lanes are put and taken in program order, so the k-th one put is the k-th one taken: which instruction
// an end frees is known before the task runs. The plan holds that, so that running it takes a counter an instruction and no search.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/verify/verifier.h"

namespace cox::firmware::plan {

/// Instructions that are dispatched together: one that may wait for tokens, and the configurations behind it. At most so many.
inline constexpr unsigned kMaximumGroup = 8;
/// Of so many instructions of a lane at least one asks for a completion, so that a ring never fills with instructions whose end nobody
/// hears of (docs/scheduler.md, Room in the rings).
inline constexpr unsigned kCompletionInterval = 8;

/// A group in a run.
struct Group {
  std::uint32_t missing = 0;  ///< tokens that it still waits for, and one until it is the first of its lane
  std::uint16_t size = 0;     ///< instructions; 0 ends a lane
  std::uint16_t initial = 0;  ///< `missing` before the run
};

/// A token at its destination. Instructions and the ends of their lanes take 21 bits.
class Wake {
 public:
  Wake() = default;
  constexpr Wake(std::size_t group, unsigned to) : bits_(static_cast<std::uint32_t>(group) << 11 | to << 1) {}
  static constexpr Wake of(std::uint32_t bits) {
    Wake wake;
    wake.bits_ = bits;
    return wake;
  }
  constexpr void mark_last() { bits_ |= 1; }

  [[nodiscard]] constexpr std::uint32_t group() const { return bits_ >> 11; }  ///< index in Plan::groups
  [[nodiscard]] constexpr unsigned to() const { return (bits_ >> 1) & 63; }    ///< the group's lane
  [[nodiscard]] constexpr bool last() const { return (bits_ & 1) != 0; }       ///< of the instruction that gives it

 private:
  std::uint32_t bits_ = 0;
};
static_assert(verify::kMaximumInstructions + isa::tile::kMostLanes < std::size_t{1} << 21 && isa::tile::kMostLanes < 64);

/// Memory that a run has for each lane, in bytes, aligned to as many. A power of two, since tokens name lanes by number.
inline constexpr std::size_t kLaneBytes = sizeof(void *) * 8;

struct LanePlan {
  std::span<isa::tile::MachineCode> code;  ///< in program order, completion flags set
  const std::uint32_t *indices = nullptr;  ///< of the same instructions in the task
  std::uint32_t first_group = 0;           ///< in Plan::groups
  std::span<const Wake> wakes;  ///< tokens given, in the order of their givers; within one by class, then by core. Sinks give one
};

struct Plan {
  std::span<const LanePlan> lanes;  ///< of the task's cores: lane core * kClasses + class
  /// Groups of all lanes, each lane ended by one of size 0 that is never ready, and the end. Counted down by the run: one run at a time.
  /// Before them, and counted from there so that one pointer finds both, the run has kLaneBytes for each lane and for one more, number
  /// lanes.size(), that the end stands in.
  std::span<Group> groups;
  std::span<isa::tile::MachineCode> code;  ///< of all lanes
  /// Instructions that ask for a completion and give no token: when they have ended, all have. Theirs goes to the end, groups.back().
  std::uint32_t sinks = 0;

  /// As before the first instruction of a run in that context.
  void rewind(std::uint8_t context) const;
};

/// Memory that a plan needs, in bytes, aligned to kPlanAlignment: that in which the task is verified before lies in the same.
inline constexpr std::size_t kPlanAlignment = 4;
namespace detail {
/// At most so many tokens an instruction puts: one on each counter.
constexpr std::size_t most_wakes(unsigned cores) { return isa::tile::kClasses + cores - 1; }
constexpr std::size_t head_bytes(std::size_t instructions, unsigned cores) {
  return std::size_t{cores} * isa::tile::kClasses * sizeof(LanePlan) + instructions * sizeof(std::uint32_t);
}
constexpr std::size_t body_bytes(std::size_t instructions, unsigned cores) {
  return instructions * (sizeof(isa::tile::MachineCode) + most_wakes(cores) * sizeof(Wake) + sizeof(Group)) +
         (std::size_t{cores} * isa::tile::kClasses + 1) * (kLaneBytes + sizeof(Group)) + kLaneBytes;
}
}  // namespace detail
[[nodiscard]] constexpr std::size_t plan_bytes(std::size_t instructions, unsigned cores) {
  const std::size_t shared = std::max(detail::body_bytes(instructions, cores), verify::scratch_bytes(instructions, cores));
  return kLaneBytes - kPlanAlignment + detail::head_bytes(instructions, cores) + shared;
}

/// Where in a workspace the plan keeps the order of the lanes: verify() is to write it there.
[[nodiscard]] std::span<std::uint32_t> plan_order(std::span<std::byte> workspace, std::size_t instructions, unsigned cores);

/// Where in a workspace verify() may work until the plan is built there.
[[nodiscard]] std::span<std::byte> plan_scratch(std::span<std::byte> workspace, std::size_t instructions, unsigned cores);

/// The plan of a verified task, in `workspace`, which must hold plan_bytes() for the cores of `streams`, be aligned, and hold the order
/// that `streams` refers to at plan_order(). Where `pause` gives up in between it is of no use.
[[nodiscard]] Plan build_plan(std::span<const isa::tile::MachineCode> instructions, const verify::Streams &streams,
                              std::span<std::byte> workspace, verify::Pause &pause);

}  // namespace cox::firmware::plan
