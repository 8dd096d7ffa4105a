// SPDX-License-Identifier: MIT
// Proves on a task's plan that all of its instructions can run, and that each region is defined before it is used (docs/scheduler.md,
// Verifier).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/load/budget.h"
#include "coxswain/firmware/plan/plan.h"
#include "coxswain/firmware/verify/scratch.h"
#include "coxswain/firmware/verify/streams.h"
#include "coxswain/firmware/verify/token_balance.h"

namespace cox::firmware::verify {

/// Simulates the tokens of a task: each group of the plan runs when all of its tokens are there. A clock tells which CT instructions have
/// ended when a group starts, whatever the timing. If the task redefines regions, a second pass goes through the groups in the opposite
/// order. It finds the CT instructions that start after each group's end.
class OrderProof {
 public:
  /// `redefines`: a ct_bc changes the definition of a region that an instruction before it uses. The objects that the other arguments refer
  /// to must outlive the last step.
  void begin(std::span<const MachineCode> instructions, const Streams &streams, const plan::Plan &plan, const Scratch &scratch,
             bool redefines, Deadlock *waiting);
  /// Works until the proof is complete or the budget is used. Errors: deadlock and cut_not_ordered, as in verify().
  [[nodiscard]] Status step(load::Budget &budget);
  [[nodiscard]] bool done() const { return phase_ == Phase::done; }

 private:
  enum class Phase : std::uint8_t { reset, simulation, deadlock, reverse, cuts, done };

  static constexpr std::uint32_t kNone = UINT32_MAX;

  void enter(Phase phase);
  void reset(load::Budget &budget);
  void simulate(load::Budget &budget);
  bool execute(unsigned lane, load::Budget &budget);
  void note_early(std::uint32_t index, std::uint32_t clock);
  Status count_executed(load::Budget &budget);
  void trace_back(load::Budget &budget);
  void enter_cuts();
  Status check_cuts(load::Budget &budget);
  Status check_regions(const MachineCode &code, std::uint32_t regions);

  std::span<const MachineCode> instructions_;
  const Streams *streams_ = nullptr;
  const plan::Plan *plan_ = nullptr;
  const Scratch *scratch_ = nullptr;
  Deadlock *waiting_ = nullptr;
  std::uint64_t to_try_ = 0;  ///< bit l: the head of lane l may have become ready
  std::size_t next_ = 0;      ///< next group or instruction of the phase
  unsigned lane_ = 0;         ///< lane whose executed instructions are counted
  /// Index of the first instruction of the program that may start before one of its regions is defined, and the clock of its group.
  std::uint32_t early_ = kNone, early_clock_ = 0;
  bool redefines_ = false;
  Phase phase_ = Phase::done;
};

}  // namespace cox::firmware::verify
