// SPDX-License-Identifier: MIT
// Proves from a task's bytes that it can run, before its first instruction reaches a queue (docs/scheduler.md, Verifier). Makes its plan on
// the way, because the proof of order walks through the plan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/firmware/load/budget.h"
#include "coxswain/firmware/plan/plan.h"
#include "coxswain/firmware/verify/order_proof.h"
#include "coxswain/firmware/verify/scratch.h"
#include "coxswain/firmware/verify/streams.h"
#include "coxswain/firmware/verify/task_needs.h"
#include "coxswain/firmware/verify/token_balance.h"
#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/header.h"

namespace cox::firmware::verify {

using isa::tile::kWindows;

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

/// Checks `instructions` against `limits`. `workspace` is memory to work in, which the result refers to: plan::plan_bytes() bytes, aligned
/// to plan::kPlanAlignment. Takes time linear in the number of instructions. Returns the first error, with the instruction's index and the
/// field:
/// - invalid_argument: `workspace` or the number of cores is wrong;
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
                                      std::span<std::byte> workspace, Deadlock *waiting = nullptr);

/// verify() in steps. The result also has the task's plan.
class Verifier {
 public:
  /// The arguments and the errors are those of verify(). The objects that the arguments refer to must outlive the last step.
  [[nodiscard]] Status begin(std::span<const MachineCode> instructions, const Limits &limits, std::span<std::byte> workspace,
                             Deadlock *waiting);
  /// Works until the proof is complete or the budget is used. Errors: those of verify(). After an error, call begin() again.
  [[nodiscard]] Status step(load::Budget &budget);
  [[nodiscard]] bool done() const { return phase_ == Phase::done; }
  /// The result, when done() is true.
  [[nodiscard]] const Streams &streams() const { return streams_; }
  [[nodiscard]] const TaskNeeds &needs() const { return touched_.needs; }
  [[nodiscard]] const plan::Plan &plan() const { return plan_.plan(); }

 private:
  enum class Phase : std::uint8_t { frame, instructions, lanes, plan, order, done };

  void enter(Phase phase);
  Status check_frame(load::Budget &budget);
  Status check_instructions(load::Budget &budget);
  void sort_by_lane(load::Budget &budget);
  void make_plan(load::Budget &budget);
  Status prove_order(load::Budget &budget);

  std::span<const MachineCode> instructions_;
  std::span<std::byte> workspace_;
  Deadlock *waiting_ = nullptr;
  Limits limits_;
  Scratch scratch_;
  Streams streams_;
  Touched touched_;
  plan::PlanBuilder plan_;
  OrderProof proof_;
  std::size_t next_ = 0;    ///< index of the next instruction in this phase
  bool redefines_ = false;  ///< a ct_bc changes the definition of a region that was used before
  Phase phase_ = Phase::done;
};

}  // namespace cox::firmware::verify
