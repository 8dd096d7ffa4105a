// SPDX-License-Identifier: MIT
// Proves, from a task's bytes alone, that it can be run: before the first instruction reaches a queue (docs/scheduler.md, Verifier).
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

/// Instructions of a task. An instruction puts at most one token on each counter.
inline constexpr std::size_t kMaximumInstructions = (std::size_t{1} << 20) - 1;

/// What a task may reach through one base address register.
struct WindowLimit {
  std::uint64_t size = 0;  ///< bytes; 0: there is no such window
  bool writable = false;
};

using isa::tile::BufferRange;

struct Limits {
  std::array<WindowLimit, kWindows> windows{};
  BufferRange blocks;           ///< of each core's L2 buffer that the task may cut
  std::uint64_t wl0_bytes = 0;  ///< of each core's weight buffer
  unsigned cores = 1;           ///< of the task, 1 to kMostCores
};

/// What a task that passed takes of a device.
struct TaskNeeds {
  BufferRange blocks;   ///< from the first to the last L2 block that it cuts or reaches from another core, over all cores
  BufferRange weights;  ///< units of WL0, over all cores
  unsigned cores = 1;   ///< side by side
  /// What it reads of DRAM and what it writes, each from its lowest to its highest byte in a window, have no byte in common: run again from
  /// its beginning it does the same.
  bool restartable = true;
};

/// Where the lanes of a deadlocked task stand: for each with instructions left, the one at its head and the lanes that it waits for.
struct Deadlock {
  std::array<std::int32_t, isa::tile::kMostLanes> instruction{};  ///< -1: the lane came to its end
  std::array<std::uint64_t, isa::tile::kMostLanes> waits_for{};   ///< bit l: no token from lane l
};

/// The instructions of a task lane by lane, in program order.
struct Streams {
  std::span<const std::uint32_t> order;                          ///< indices in the instruction list, of all lanes
  std::array<std::uint32_t, isa::tile::kMostLanes + 1> first{};  ///< lane l has order[first[l]] up to order[first[l + 1]]
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

/// Checks `instructions` against `limits` and lays them out by lane in `order`, which the result refers to: as long as the instruction
/// list, or longer. `scratch` is memory to work in: scratch_bytes(), aligned to kScratchAlignment. invalid_argument otherwise, and where
/// `cores` is none or too many. Time is linear in the number of instructions. The first thing wrong is returned, with the instruction's
/// index and the field:
/// - too_many_instructions, no_task_start (`ct_st` is not first, or comes again), no_task_end (likewise `ct_ed`, last);
/// - what isa/tile/check.h refuses; reserved_bits also for a context or completion bit;
/// - field_out_of_range: `core` (the header's: not one of the task's, or of ct_st and ct_ed not 0), or CORE, Prev_Cores, Next_Cores (not a
///   core of the task); own_core where one of these three names the instruction's own core;
/// - bad_buffer_cut: a region that is none, or leaves the context's blocks;
/// - missing_configuration, unsupported, shape_mismatch: what isa/tile/operation.h refuses;
/// - window_missing (`what` the field, `value` the window), address_outside_window, address_outside_cut, address_outside_wl0;
/// - tokens_unbalanced: `what` the ordered pair ("PE->VP", between cores "SO0->SI1"), `value` tokens put, `limit` tokens taken, `index` the
///   last instruction of the surplus;
/// - deadlock: `what` the ordered pair that the first stuck instruction waits on, `value` the lane waited for, `limit` how many lanes are
///   stuck. `*waiting` gets all of them where `waiting` is not null;
/// - cut_not_ordered: an instruction that may start before the ct_bc that defines its region has ended (`what` the field that selects the
///   region, `limit` the ct_bc), or a ct_bc that may start before a user of what it defines anew has ended (`what` "ct_bc", `limit` the
///   user); `value` the region;
/// - cancelled: `pause` gave up.
[[nodiscard]] Result<Verified> verify(std::span<const isa::tile::MachineCode> instructions, const Limits &limits,
                                      std::span<std::uint32_t> order, std::span<std::byte> scratch, Deadlock *waiting, Pause &pause);
[[nodiscard]] inline Result<Verified> verify(std::span<const isa::tile::MachineCode> instructions, const Limits &limits,
                                             std::span<std::uint32_t> order, std::span<std::byte> scratch, Deadlock *waiting = nullptr) {
  Pause none;
  return verify(instructions, limits, order, scratch, waiting, none);
}

/// The ordered pair of lanes, as errors name it: "PE->VP" within a core, "SO0->SI1" between two.
[[nodiscard]] const char *pair_name(unsigned from, unsigned to);

}  // namespace cox::firmware::verify
