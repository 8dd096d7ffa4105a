// SPDX-License-Identifier: MIT
// The innermost loop of the scheduler: from an instruction that has ended to the doorbells of the groups that become ready
// (docs/scheduler.md, The loop). On the target it is assembly, token_loop.cpp; here is its twin in C++. tests/target/token_loop runs both
// on the same inputs.
#pragma once

#include <cstdint>

#include "coxswain/firmware/schedule/run_memory.h"

namespace cox::firmware::schedule {

/// Dispatches the head group of `lane`, and the groups behind it up to the first that waits for tokens. The head group has all its tokens.
/// If the ring has no room, go_on() marks the lane as starved. If `lane` is the end lane (Plan::groups), go_on() ends the run.
/// dispatcher.cpp defines go_on().
[[gnu::cold, gnu::noinline]] void go_on(Lane &lane);

/// Called for each completion of an instruction of the lane `giver`, in the order in which the instructions ended. Gives the tokens of the
/// instruction: decrements the counters of the groups that wait for them, and dispatches each group whose counter reaches 0.
void give_tokens(Lane &giver);

/// The interrupt status of the accelerator, which the loop in assembly for several cores reads. dispatcher.cpp defines it; a test replaces
/// it.
extern const volatile std::uint32_t *const completion_status;

/// Does the same as give_tokens(), in C++. Leaves every dispatch to go_on().
inline void give_tokens_in_cpp(Lane &giver) {
  const RunMemory memory(giver.groups);
  const Wake *wakes = giver.wakes;
  Wake wake;
  do {
    wake = *wakes++;
    if (--memory.group(wake.group()).missing == 0) go_on(memory.lane(wake.to()));
  } while (!wake.last());
  giver.wakes = wakes;
}

}  // namespace cox::firmware::schedule
