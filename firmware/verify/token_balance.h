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

/// Simulates the tokens of a task, which check_balance() must have accepted. Each lane executes its instructions in order, and each
/// instruction waits for its tokens. Error: deadlock if some instructions wait forever. On success, Scratch::ended() is valid for each
/// instruction.
[[nodiscard]] Status check_progress(std::span<const isa::tile::MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                                    Deadlock *waiting, Pause &pause);

}  // namespace cox::firmware::verify
