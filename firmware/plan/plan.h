// SPDX-License-Identifier: MIT
// The plan of a verified task, for the scheduler: its instructions lane by lane, with dependency bits resolved (docs/scheduler.md, The
// plan). A lane has the instructions of one class on one core.
//
// Tokens of an ordered pair of lanes are put and taken in program order, so the k-th token put is the k-th taken. The plan therefore knows
// before the run which instruction waits for which token.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/firmware/load/budget.h"
#include "coxswain/firmware/verify/scratch.h"
#include "coxswain/firmware/verify/streams.h"

namespace cox::firmware::plan {

/// The largest number of instructions in a group. The instructions of a group are dispatched together: one that may wait for tokens, and
/// the configurations behind it.
inline constexpr unsigned kMaximumGroup = 8;
/// This many consecutive instructions of a lane always contain one that asks for a completion. Otherwise a ring could fill with
/// instructions that never report their end (docs/scheduler.md, Room in the rings).
inline constexpr unsigned kCompletionInterval = 16;

/// State of a group in a run.
struct Group {
  /// Tokens that the group still waits for, plus one until the group is the head of its lane. Before Plan::rewind(): the ports from which
  /// the group takes tokens, one bit each.
  std::uint32_t missing = 0;
  std::uint16_t size = 0;     ///< number of instructions in the group; 0 for the group at a lane's end
  std::uint16_t initial = 0;  ///< value of `missing` before the run
};

/// Destination of a token: the group that takes it, and the group's lane. last() marks the giver's last token.
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

  [[nodiscard]] constexpr std::uint32_t group() const { return bits_ >> 11; }  ///< index in Plan::groups of the waiting group
  [[nodiscard]] constexpr unsigned to() const { return (bits_ >> 1) & 63; }    ///< lane of the waiting group
  [[nodiscard]] constexpr bool last() const { return (bits_ & 1) != 0; }       ///< the token's giver gives no token after it

 private:
  std::uint32_t bits_ = 0;
};
static_assert(verify::kMaximumInstructions + isa::tile::kMostLanes < std::size_t{1} << 21 && isa::tile::kMostLanes < 64);

/// Size and alignment, in bytes, of the state of a lane during a run (firmware/schedule/run_memory.h). It is a power of two, so that a
/// shift turns a lane's number into an offset.
inline constexpr std::size_t kLaneBytes = sizeof(void *) * 8;

struct LanePlan {
  std::span<isa::tile::MachineCode> code;  ///< instructions in program order, with completion flags
  const std::uint32_t *indices = nullptr;  ///< index in the task of each instruction of `code`
  std::uint32_t first_group = 0;           ///< index in Plan::groups of the lane's first group
  /// The tokens that the lane gives, in the order of the instructions that give them. The tokens of one instruction are in the order of
  /// the ports to which it gives them (isa/tile/lane.h). A sink (Plan::sinks) gives one token, to Plan::groups.back().
  std::span<const Wake> wakes;
};

struct Plan {
  std::span<const LanePlan> lanes;  ///< [core * kClasses + class]: the instructions of this class on this core
  /// The groups of all lanes, one lane after the other. After the groups of each lane comes an empty group that is never ready. The last
  /// group, groups.back(), is ready when all sinks have ended. It belongs to an extra lane, the end lane. A run changes Group::missing, so
  /// a plan serves one run at a time. The memory before the groups holds the state of the lanes and a copy of it
  /// (firmware/schedule/run_memory.h).
  std::span<Group> groups;
  std::span<isa::tile::MachineCode> code;  ///< the instructions of all lanes
  /// The tokens that the start of a run gives: one to the first group of each lane that has instructions.
  std::span<const Wake> start;
  /// Number of sinks. A sink is an instruction that asks for a completion and gives its only token to groups.back(). When all sinks have
  /// ended, all instructions have ended.
  std::uint32_t sinks = 0;

  /// Prepares the plan for a run: sets Group::missing of all groups to the initial value, and writes `context` to all instructions.
  void rewind(std::uint8_t context) const;
};

/// Alignment of a plan's memory, in bytes.
inline constexpr std::size_t kPlanAlignment = 4;
namespace detail {
/// Returns the largest number of tokens that an instruction gives: one to each class of its core, and one to each other core.
constexpr std::size_t most_wakes(unsigned cores) { return isa::tile::kClasses + cores - 1; }
constexpr std::size_t head_bytes(std::size_t instructions, unsigned cores) {
  return std::size_t{cores} * isa::tile::kClasses * sizeof(LanePlan) + instructions * sizeof(std::uint32_t);
}
constexpr std::size_t body_bytes(std::size_t instructions, unsigned cores) {
  return instructions * (sizeof(isa::tile::MachineCode) + most_wakes(cores) * sizeof(Wake) + sizeof(Group)) +
         (std::size_t{cores} * isa::tile::kClasses + 1) * (2 * kLaneBytes + sizeof(Group) + sizeof(Wake)) + kLaneBytes;
}
}  // namespace detail
[[nodiscard]] constexpr std::size_t plan_bytes(std::size_t instructions, unsigned cores) {
  return kLaneBytes - kPlanAlignment + detail::head_bytes(instructions, cores) + detail::body_bytes(instructions, cores) +
         verify::kScratchAlignment + verify::scratch_bytes(instructions, cores);
}

/// Returns the part of a workspace where verify() writes the indices of the task's instructions, lane by lane.
[[nodiscard]] std::span<std::uint32_t> plan_order(std::span<std::byte> workspace, std::size_t instructions, unsigned cores);

/// Returns the part of a workspace in which verify() works.
[[nodiscard]] std::span<std::byte> plan_scratch(std::span<std::byte> workspace, std::size_t instructions, unsigned cores);

/// Builds the plan of a verified task.
class PlanBuilder {
 public:
  /// `workspace` has plan_bytes() bytes and is aligned to kPlanAlignment. The tokens of `instructions` are balanced (check_balance()). The
  /// order of `streams` is in plan_order(workspace). The objects that the arguments refer to must outlive the last step.
  void begin(std::span<const isa::tile::MachineCode> instructions, const verify::Streams &streams, std::span<std::byte> workspace);
  /// Works until the plan is complete or the budget is used.
  void step(load::Budget &budget);
  [[nodiscard]] bool done() const { return phase_ == Phase::done; }
  /// The plan, when done() is true. Call Plan::rewind() before its first run.
  [[nodiscard]] const Plan &plan() const { return plan_; }

 private:
  enum class Phase : std::uint8_t { lanes, wakes, done };
  bool lay_out(load::Budget &budget);
  void end_lane();
  bool find_wakes(load::Budget &budget);
  void list_start();
  bool find_taker(unsigned core, unsigned own, unsigned port, load::Budget &budget);

  std::span<const isa::tile::MachineCode> instructions_;
  const verify::Streams *streams_ = nullptr;
  Plan plan_;
  std::span<LanePlan> lanes_;
  std::span<Wake> wakes_;
  std::size_t next_group_ = 0;
  std::size_t next_wake_ = 0;
  unsigned lane_ = 0;         ///< the lane that is laid out, or whose tokens are looked at
  std::size_t position_ = 0;  ///< position of the next instruction in the lane
  unsigned silent_ = 0;       ///< instructions of the lane since the last one that asks for a completion
  std::uint32_t ports_ = 0;   ///< ports of the instruction whose tokens still need their takers
  /// [port]: the group, counted from the taking lane's first, from which to search for the taker of the port's next token.
  std::array<std::uint32_t, isa::tile::kPorts> takers_{};
  Phase phase_ = Phase::done;
};

}  // namespace cox::firmware::plan
