// SPDX-License-Identifier: MIT
// Proves, from a task's bytes alone, that it can be run: before the first instruction reaches a queue (docs/scheduler.md, Verifier).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "isa/tile/configuration.h"
#include "isa/tile/header.h"

namespace cox::firmware::verify {

using isa::tile::kWindows;

/// Instructions of a task. No token counter can pass this bound, since an instruction puts at most one token on each: 16 bits hold them
/// all.
inline constexpr std::size_t kMaximumInstructions = 65535;

/// What a task may reach through one base address register.
struct WindowLimit {
  std::uint64_t size = 0;  ///< bytes; 0: there is no such window
  bool writable = false;
};

/// L2 blocks, both ends included; first > last where there is none.
struct BlockRange {
  std::uint32_t first = 1;
  std::uint32_t last = 0;

  [[nodiscard]] constexpr bool empty() const { return first > last; }
  [[nodiscard]] constexpr bool overlaps(const BlockRange &other) const {
    return !empty() && !other.empty() && first <= other.last && other.first <= last;
  }
};

/// What verify() works out about an instruction.
struct InstructionOrder {
  /// Of each class, how many of its instructions have ended before this one starts, whatever the timing; of its own class all before it.
  std::array<std::uint16_t, isa::tile::kClasses> ended{};
  std::uint16_t regions = 0;  ///< bit r: it uses L2 region r or, a ct_bc, gives it another definition
};

struct Limits {
  std::array<WindowLimit, kWindows> windows{};
  BlockRange blocks;            ///< of the L2 buffer that the task may cut
  std::uint64_t wl0_bytes = 0;  ///< of the device's weight buffer
};

/// Where the classes of a deadlocked task stand: for each class with instructions left, the one at its head and the classes that it waits
/// for.
struct Deadlock {
  std::array<std::int32_t, isa::tile::kClasses> instruction{};  ///< -1: the class came to its end
  std::array<std::uint16_t, isa::tile::kClasses> waits_for{};   ///< bit c: no token from class c
};

/// A task that passed: its instructions class by class, in program order.
struct Streams {
  std::array<std::span<const std::uint16_t>, isa::tile::kClasses> classes{};  ///< indices in the instruction list
  BlockRange blocks;      ///< from the first to the last L2 block of all regions that the task ever cuts
  bool uses_wl0 = false;  ///< WL0 has no cuts: two tasks that use it must not run side by side
};

/// Checks `instructions` against `limits` and lays them out by class in `entries`, which the result refers to. `orders` is memory to work
/// in. Both must be as long as the instruction list (invalid_argument). Time is linear in the number of instructions. The first thing wrong
/// is returned, with the instruction's index and the field:
/// - too_many_instructions, no_task_start (`ct_st` is not first, or comes again), no_task_end (likewise `ct_ed`, last);
/// - what isa/tile/check.h refuses; reserved_bits also for a context or completion bit;
/// - bad_buffer_cut: a region that is none, or leaves the context's blocks;
/// - missing_configuration, unsupported, shape_mismatch, misaligned_address: what isa/tile/operation.h refuses;
/// - window_missing (`what` the field, `value` the window), address_outside_window, address_outside_cut, address_outside_wl0;
/// - tokens_unbalanced: `what` the ordered pair ("PE->VP"), `value` tokens put, `limit` tokens taken, `index` the last instruction of the
/// surplus;
/// - deadlock: `what` the ordered pair that the first stuck instruction waits on, `value` the class waited for, `limit` how many classes
/// are
///   stuck. `*waiting` gets all of them where `waiting` is not null;
/// - cut_not_ordered: an instruction that may start before the ct_bc that defines its region has ended (`what` the field that selects the
///   region, `limit` the ct_bc), or a ct_bc that may start before a user of what it defines anew has ended (`what` "ct_bc", `limit` the
///   user); `value` the region.
[[nodiscard]] Result<Streams> verify(std::span<const isa::tile::MachineCode> instructions, const Limits &limits,
                                     std::span<std::uint16_t> entries, std::span<InstructionOrder> orders, Deadlock *waiting = nullptr);

/// "PE->VP": the ordered pair of classes, as errors name it.
[[nodiscard]] const char *pair_name(unsigned from, unsigned to);

}  // namespace cox::firmware::verify
