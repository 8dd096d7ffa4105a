// SPDX-License-Identifier: MIT
// Tasks for tests of the scheduler's order.
#pragma once

#include "tests/firmware/task_builder.h"

namespace cox::tests {

/// Returns a task that loads and stores through L2 block `block`, with random tokens. The tokens are balanced and cannot deadlock: each
/// taker comes later in the program than its giver. The first load and the first store wait for the definition of the region. All later
/// definitions are the same.
TaskText random_task(unsigned seed, std::int64_t block, unsigned length);

/// Returns a task of `rounds` pairs of a load and a store. Each instruction waits for the previous one.
TaskText chain_task(unsigned rounds);

/// Bytes of one tensor.
inline constexpr std::int64_t kTensorBytes = 128;

/// Returns a task that copies `rounds` tensors of window 0 one after the other through L2 blocks `first` to `last`: each load waits for the
/// store before it. The destination is `distance` tensors after the source. With 0 the distance is `rounds`, so the first half of the
/// window is copied to the second half.
TaskText copies_task(std::int64_t first, std::int64_t last, unsigned rounds, unsigned distance = 0);

/// Returns a task that copies `rounds` tensors as copies_task() does, but with two cores: core 1 loads a tensor, core 0 fetches it from
/// core 1 and stores it. Only tokens between the cores order the load and the fetch. A so_sync of core 1 gives the fetch (si_mov of core 0)
/// its token. The fetch gives a token back, which the next so_sync takes before core 1 loads again.
TaskText two_core_task(std::int64_t block = 0, unsigned rounds = 1);

}  // namespace cox::tests
