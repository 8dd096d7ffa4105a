// SPDX-License-Identifier: MIT
// What the tokens of a task say: are they balanced, and can every instruction come to its turn (docs/scheduler.md, Tokens).
#pragma once

#include <span>

#include "base/status.h"
#include "firmware/verify/verifier.h"

namespace cox::firmware::verify {

// Each: cancelled where `pause` gave up.

/// tokens_unbalanced where some ordered pair of lanes has more tokens put than taken, or fewer. Begins with fresh counters in `scratch`.
[[nodiscard]] Status check_balance(std::span<const isa::tile::MachineCode> instructions, unsigned cores, const Scratch &scratch,
                                   Pause &pause);

/// deadlock where the lanes' instructions, each in order and each as soon as its tokens are there, do not all run. Every order of running
/// gives the same answer: a counter has one giver and one taker, and each of them is in order. So the k-th token taken is the k-th one put,
/// and Scratch::ended() of each instruction is what certainly came before it. The tokens must be balanced.
[[nodiscard]] Status check_progress(std::span<const isa::tile::MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                                    Deadlock *waiting, Pause &pause);

}  // namespace cox::firmware::verify
