// SPDX-License-Identifier: MIT
// Proves from a task's bytes that it can run, before its first instruction reaches a queue (docs/scheduler.md, Verifier).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "firmware/load/budget.h"
#include "firmware/verify/scratch.h"
#include "firmware/verify/streams.h"
#include "firmware/verify/task_needs.h"
#include "firmware/verify/token_balance.h"
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
/// - cut_not_ordered with `what` "ct_bc": a ct_bc may redefine region `value` before instruction `limit`, which uses the region, has ended.
[[nodiscard]] Result<Verified> verify(std::span<const isa::tile::MachineCode> instructions, const Limits &limits,
                                      std::span<std::uint32_t> order, std::span<std::byte> scratch, Deadlock *waiting = nullptr);

/// Returns the name of an ordered pair of lanes in errors: "PE->VP" within a core, "SO0->SI1" between two.
[[nodiscard]] const char *pair_name(unsigned from, unsigned to);

/// verify() in steps.
class Verifier {
 public:
  /// The arguments and the errors are those of verify(). The objects that the arguments refer to must outlive the last step.
  [[nodiscard]] Status begin(std::span<const MachineCode> instructions, const Limits &limits, std::span<std::uint32_t> order,
                             std::span<std::byte> scratch, Deadlock *waiting);
  /// Works until the proof is complete or the budget is used. Errors: those of verify(). After an error, call begin() again.
  [[nodiscard]] Status step(load::Budget &budget);
  [[nodiscard]] bool done() const { return phase_ == Phase::done; }
  /// The result, when done() is true.
  [[nodiscard]] const Streams &streams() const { return streams_; }
  [[nodiscard]] const TaskNeeds &needs() const { return touched_.needs; }

 private:
  enum class Phase : std::uint8_t { frame, instructions, lanes, progress, cuts, done };

  void enter(Phase phase);
  Status check_frame(load::Budget &budget);
  Status check_instructions(load::Budget &budget);
  void sort_by_lane(load::Budget &budget);
  Status check_tokens(load::Budget &budget);
  Status check_cuts(load::Budget &budget);

  std::span<const MachineCode> instructions_;
  std::span<std::uint32_t> order_;
  std::span<std::byte> memory_;
  Deadlock *waiting_ = nullptr;
  Limits limits_;
  Scratch scratch_;
  Streams streams_;
  Touched touched_;
  TokenSimulation tokens_;
  std::size_t next_ = 0;  ///< index of the next instruction in this phase
  Phase phase_ = Phase::done;
};

}  // namespace cox::firmware::verify
