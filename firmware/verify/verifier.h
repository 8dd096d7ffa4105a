// SPDX-License-Identifier: MIT
// Proves from a task's bytes that it can run, before its first instruction reaches a queue (docs/scheduler.md, Verifier).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "firmware/verify/pause.h"
#include "firmware/verify/scratch.h"
#include "isa/tile/configuration.h"
#include "isa/tile/header.h"

namespace cox::firmware::verify {

using isa::tile::kWindows;

/// The largest number of instructions of a task. A counter never has more tokens than that, because an instruction
/// puts at most one token on each counter.
inline constexpr std::size_t kMaximumInstructions = (std::size_t{1} << 20) - 1;

/// The memory that a task may reach through one base address register.
struct WindowLimit {
  std::uint64_t size = 0;  ///< bytes; 0: there is no such window
  bool writable = false;
};

using isa::tile::BufferRange;

struct Limits {
  std::array<WindowLimit, kWindows> windows{};
  BufferRange blocks;           ///< L2 blocks of each core that the task's regions may cover
  std::uint64_t wl0_bytes = 0;  ///< size of each core's weight buffer
  unsigned cores = 1;           ///< number of the task's cores, 1 to kMostCores
};

/// The parts of a device that a verified task needs.
struct TaskNeeds {
  BufferRange blocks;   ///< from the first to the last L2 block that the task's regions or exchanges cover on any core
  BufferRange weights;  ///< from the first to the last WL0 unit that the task uses on any core
  unsigned cores = 1;   ///< number of cores, which must have consecutive numbers
  /// True if the task gives the same results when it runs again from its beginning. For this, the verifier requires that in each window,
  /// the range from the first to the last byte read does not overlap the range from the first to the last byte written.
  bool restartable = true;
};

/// A deadlock: for each stuck lane, the instruction at its head and the lanes that this instruction waits for.
struct Deadlock {
  std::array<std::int32_t, isa::tile::kMostLanes> instruction{};  ///< index of the lane's head instruction; -1: the lane has ended
  std::array<std::uint64_t, isa::tile::kMostLanes> waits_for{};   ///< bit l: the head instruction waits for a token from lane l
};

/// The instructions of a task lane by lane, in program order.
struct Streams {
  std::span<const std::uint32_t> order;                          ///< indices in the instruction list, lane by lane
  std::array<std::uint32_t, isa::tile::kMostLanes + 1> first{};  ///< lane l has order[first[l]] to order[first[l + 1] - 1]
  unsigned cores = 1;

  [[nodiscard]] unsigned lanes() const { return cores * isa::tile::kClasses; }
  [[nodiscard]] std::span<const std::uint32_t> lane(unsigned lane) const {
    return order.subspan(first[lane], first[lane + 1] - first[lane]);
  }
};

struct Verified {
  Streams streams;
  TaskNeeds needs;
};

/// Checks `instructions` against `limits` and lays them out by lane in `order`, which the result refers to. `order` is at least as long as
/// the instruction list. `scratch` is memory to work in: scratch_bytes() bytes, aligned to kScratchAlignment. Takes time linear in the
/// number of instructions. Returns the first error, with the instruction's index and the field:
/// - invalid_argument: `order`, `scratch` or the number of cores is wrong;
/// - too_many_instructions; no_task_start: `ct_st` is not the first instruction, or there is a second one; no_task_end: `ct_ed` is not the
///   last instruction, or there is a second one;
/// - all errors of isa::tile::check() (isa/instruction_set.h); reserved_bits also if a context or completion bit is set;
/// - field_out_of_range: `core` in the header (not a core of the task, or not 0 for ct_st and ct_ed), or CORE, Prev_Cores, Next_Cores
///   (not a core of the task); own_core if one of these three names the instruction's own core;
/// - bad_buffer_cut: a ct_bc defines a region that begins before block 0 of L2, or that has a block outside `limits.blocks`;
/// - missing_configuration, unsupported, shape_mismatch: errors of isa::tile::resolve() (isa/tile/operation.h);
/// - window_missing (`what` is the field, `value` the window), address_outside_window, address_outside_cut, address_outside_wl0;
/// - tokens_unbalanced: `what` is the ordered pair of lanes (pair_name()), `value` the number of tokens put, `limit` the number taken.
///   `index` is the last instruction that puts a token or, if more are taken than put, the last that takes one;
/// - deadlock: `what` is the ordered pair of lanes on which the first stuck instruction waits, `value` the lane that should put the token,
///   `limit` the number of stuck lanes. `*waiting` gets all stuck lanes if `waiting` is not null;
/// - cut_not_ordered: an instruction may start before the end of the ct_bc that defines its region. `what` is the field that selects the
///   region, `value` the region, `limit` the ct_bc;
/// - cut_not_ordered with `what` "ct_bc": a ct_bc may redefine region `value` before instruction `limit`, which uses the region, has ended;
/// - cancelled: the work was cancelled in a pause (Pause::given_up()).
[[nodiscard]] Result<Verified> verify(std::span<const isa::tile::MachineCode> instructions, const Limits &limits,
                                      std::span<std::uint32_t> order, std::span<std::byte> scratch, Deadlock *waiting, Pause &pause);
[[nodiscard]] inline Result<Verified> verify(std::span<const isa::tile::MachineCode> instructions, const Limits &limits,
                                             std::span<std::uint32_t> order, std::span<std::byte> scratch, Deadlock *waiting = nullptr) {
  Pause none;
  return verify(instructions, limits, order, scratch, waiting, none);
}

/// Returns the name of an ordered pair of lanes in errors: "PE->VP" within a core, "SO0->SI1" between two.
[[nodiscard]] const char *pair_name(unsigned from, unsigned to);

}  // namespace cox::firmware::verify
