// SPDX-License-Identifier: MIT
// Checks of a task's tokens (docs/scheduler.md, Tokens): whether they are balanced, and whether every instruction can run.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "firmware/load/budget.h"
#include "firmware/verify/scratch.h"
#include "firmware/verify/streams.h"

namespace cox::firmware::verify {

/// A deadlock: for each stuck lane, the instruction at its head and the lanes that this instruction waits for.
struct Deadlock {
  std::array<std::int32_t, isa::tile::kMostLanes> instruction{};  ///< index of the lane's head instruction; -1: the lane has ended
  std::array<std::uint64_t, isa::tile::kMostLanes> waits_for{};   ///< bit l: the head instruction waits for a token from lane l
};

/// Counts the tokens that the instruction at `index` takes and puts, and links it to the last instruction of its lane that puts tokens.
/// Call for all instructions in program order.
void count_tokens(const MachineCode &code, std::size_t index, unsigned lane, const Scratch &scratch);

/// Error: tokens_unbalanced if more, or fewer, of the tokens that count_tokens() has counted are put than taken for an ordered pair of
/// lanes. Otherwise sets the counts to 0.
[[nodiscard]] Status check_balance(unsigned cores, const Scratch &scratch);

/// Simulates the tokens of a task, which check_balance() must have accepted. Each lane executes its instructions in order, and each
/// instruction waits for its tokens. The object keeps the place at which the next step goes on.
class TokenSimulation {
 public:
  void begin(unsigned lanes) { to_try_ = (std::uint64_t{1} << lanes) - 1; }
  /// Executes instructions until no lane can go on or the budget is used. When done() is true, Scratch::ended() is valid for each
  /// instruction that was executed.
  void step(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch, load::Budget &budget);
  [[nodiscard]] bool done() const { return to_try_ == 0; }

 private:
  std::uint64_t to_try_ = 0;  ///< bit l: the head of lane l may have become ready
};

/// Call after the simulation. Error: deadlock if some instructions wait forever; `*waiting` then gets all stuck lanes if `waiting` is not
/// null.
[[nodiscard]] Status check_progress(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                                    Deadlock *waiting);

}  // namespace cox::firmware::verify
