// SPDX-License-Identifier: MIT
// Checks of a task's tokens (docs/scheduler.md, Tokens): whether they are balanced, and whether every instruction can run.
#pragma once

#include <span>

#include "base/status.h"
#include "firmware/verify/verifier.h"

namespace cox::firmware::verify {

// Both functions return cancelled if `pause` gave up.

/// Error: tokens_unbalanced if more, or fewer, tokens are put than taken for an ordered pair of lanes. `scratch` must be new.
[[nodiscard]] Status check_balance(std::span<const isa::tile::MachineCode> instructions, unsigned cores, const Scratch &scratch,
                                   Pause &pause);

/// Simulates the tokens of a task: each lane executes in order, each instruction as soon as its tokens are there. Error: deadlock if
/// instructions are left. The tokens must be balanced. The result does not depend on the order in which lanes advance: each counter has one
/// giver and one taker, both in program order, so the k-th token taken is the k-th token put. On success, Scratch::ended() of each
/// instruction holds what certainly ends before it starts.
[[nodiscard]] Status check_progress(std::span<const isa::tile::MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                                    Deadlock *waiting, Pause &pause);

}  // namespace cox::firmware::verify
