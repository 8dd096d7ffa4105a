// SPDX-License-Identifier: MIT
// A verified task made ready for the scheduler: class by class, with its dependency bits resolved (docs/scheduler.md, The plan).
//
// Tokens of an ordered pair of classes are put and taken in program order, so the k-th one put is the k-th one taken: which instruction
// an end frees is known before the task runs. The plan holds that, so that running it takes a counter an instruction and no search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware/verify/verifier.h"

namespace cox::firmware::schedule {

/// Instructions that are dispatched together: one that may wait for tokens, and the configurations behind it. At most so many.
inline constexpr unsigned kMaximumGroup = 8;
/// Of so many instructions of a class at least one asks for a completion, so that a ring never fills with instructions whose end nobody
/// hears of (docs/scheduler.md, Room in the rings).
inline constexpr unsigned kCompletionInterval = 8;

/// A group in a run.
struct Group {
  std::uint32_t missing = 0;  ///< tokens that it still waits for, and one until it is the first of its class
  std::uint32_t size = 0;     ///< instructions; 0 ends a class
};

/// A token at its destination.
class Wake {
 public:
  Wake() = default;
  constexpr Wake(std::size_t group, unsigned to) : bits_(static_cast<std::uint32_t>(group) << 16 | to << 1) {}
  constexpr void mark_last() { bits_ |= 1; }

  [[nodiscard]] constexpr std::uint32_t group() const { return bits_ >> 16; }  ///< index in Plan::groups
  [[nodiscard]] constexpr unsigned to() const { return (bits_ >> 1) & 15; }    ///< the group's class
  [[nodiscard]] constexpr bool last() const { return (bits_ & 1) != 0; }       ///< of the instruction that gives it

 private:
  std::uint32_t bits_ = 0;
};

struct ClassPlan {
  std::span<isa::tile::MachineCode> code;  ///< in program order, completion flags set
  std::span<const std::uint16_t> indices;  ///< of the same instructions in the task
  std::size_t first_group = 0;             ///< in Plan::groups
  std::span<const Wake> wakes;             ///< tokens given, in the order of their givers; within one by class
};

struct Plan {
  std::array<ClassPlan, isa::tile::kClasses> classes{};
  /// Groups of all classes, each class ended by one of size 0 that is never ready. Counted down by the run: one run at a time.
  std::span<Group> groups;
  std::span<const std::uint8_t> initial_missing;  ///< of each
  std::uint32_t sinks = 0;  ///< instructions that ask for a completion and give no token: when they have ended, all have
};

/// Memory that build_plan() needs for so many instructions, in bytes; aligned to kPlanAlignment.
inline constexpr std::size_t kPlanAlignment = 4;
[[nodiscard]] constexpr std::size_t plan_bytes(std::size_t instruction_count) {
  constexpr std::size_t kAGroup = sizeof(Group) + sizeof(std::uint8_t);
  return instruction_count * (sizeof(isa::tile::MachineCode) + isa::tile::kClasses * sizeof(Wake) + sizeof(std::uint16_t) + kAGroup) +
         isa::tile::kClasses * kAGroup;
}

/// Where in a workspace the plan keeps the order of the classes: verify() is to write it there.
[[nodiscard]] std::span<std::uint16_t> plan_order(std::span<std::byte> workspace, std::size_t instruction_count);

/// Where in a workspace verify() may keep the orders until the plan is built there.
[[nodiscard]] std::span<verify::InstructionOrder> plan_scratch(std::span<std::byte> workspace, std::size_t instruction_count);

/// The plan of a verified task, in `workspace`, which must hold plan_bytes(), be aligned, and hold the order that `streams` refers to at
/// plan_order().
[[nodiscard]] Plan build_plan(std::span<const isa::tile::MachineCode> instructions, const verify::Streams &streams,
                              std::span<std::byte> workspace);

}  // namespace cox::firmware::schedule
