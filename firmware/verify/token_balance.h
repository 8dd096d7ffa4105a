// SPDX-License-Identifier: MIT
// Checks of a task's tokens (docs/scheduler.md, Tokens): whether they are balanced, and whether every instruction can run.
#pragma once

#include <span>

#include "base/status.h"
#include "firmware/verify/verifier.h"

namespace cox::firmware::verify {

// Both functions return cancelled if the work is cancelled in a pause (Pause::given_up()).

/// Error: tokens_unbalanced if more, or fewer, tokens are put than taken for an ordered pair of lanes. `scratch` must be unused.
[[nodiscard]] Status check_balance(std::span<const isa::tile::MachineCode> instructions, unsigned cores, const Scratch &scratch,
                                   Pause &pause);

/// Simulates the tokens of a task. Each lane executes its instructions in order, and each instruction waits for its tokens. Error: deadlock
/// if instructions are left. The tokens must be balanced. The result does not depend on which lane advances first: each counter has one
/// giving and one taking lane, so the k-th token taken is always the k-th token put. On success, Scratch::ended() of each instruction holds
/// what certainly ends before it starts.
[[nodiscard]] Status check_progress(std::span<const isa::tile::MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                                    Deadlock *waiting, Pause &pause);

}  // namespace cox::firmware::verify
