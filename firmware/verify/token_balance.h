// SPDX-License-Identifier: MIT
// Counts a task's tokens (docs/scheduler.md, Tokens), and says which lanes wait for tokens that never come.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/verify/scratch.h"
#include "coxswain/firmware/verify/streams.h"

namespace cox::firmware::verify {

/// A deadlock: for each stuck lane, the instruction at its head and the lanes that this instruction waits for.
struct Deadlock {
  std::array<std::int32_t, isa::tile::kMostLanes> instruction{};  ///< index of the lane's head instruction; -1: the lane has ended
  std::array<std::uint64_t, isa::tile::kMostLanes> waits_for{};   ///< bit l: the head instruction waits for a token from lane l
};

/// Returns the name of an ordered pair of lanes in errors: "PE->VP" within a core, "SO0->SI1" between two.
[[nodiscard]] const char *pair_name(unsigned from, unsigned to);

/// Counts the tokens that the instruction at `index` takes and puts.
void count_tokens(const MachineCode &code, std::size_t index, unsigned lane, const Scratch &scratch);

/// Error: tokens_unbalanced if more, or fewer, of the tokens that count_tokens() has counted are put than taken for an ordered pair of
/// lanes. Otherwise sets the counts to 0.
[[nodiscard]] Status check_balance(unsigned cores, const Scratch &scratch);

/// Call after a simulation in which lanes are stuck, and after count_tokens() for all instructions that were executed. Returns the error
/// deadlock; `*waiting` gets all stuck lanes if `waiting` is not null.
[[nodiscard]] Status describe_deadlock(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                                       Deadlock *waiting);

}  // namespace cox::firmware::verify
