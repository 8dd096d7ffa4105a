// SPDX-License-Identifier: MIT
// Tasks whose order is what a test of the scheduler looks at.
#pragma once

#include "tests/firmware/task_builder.h"

namespace cox::tests {

/// Loads and stores (through L2 block `block`) with tokens at random that are balanced and cannot deadlock: each token's taker comes later
/// in the program than its giver. The first of each class waits for the region, and later definitions say the same.
TaskText random_task(unsigned seed, std::int64_t block, unsigned length);

/// `rounds` loads and stores, each of which waits for the one before.
TaskText chain_task(unsigned rounds);

/// Bytes of one tensor.
inline constexpr std::int64_t kTensorBytes = 128;

/// Through L2 blocks `first` to `last`, `rounds` tensors of window 0 are copied one after the other, store after load after store, each
/// `distance` tensors further on; 0: `rounds`, so that the second half of the window becomes what the first is.
TaskText copies_task(std::int64_t first, std::int64_t last, unsigned rounds, unsigned distance = 0);

/// The same copies by two cores: core 1 loads a tensor, core 0 fetches it from there and stores it, and tokens between the cores are the
/// only order. SI of core 0 gets a token from SO of core 1 (a synchronisation), and gives one back at its end; Next_Insts of both are empty
/// there.
TaskText two_core_task(std::int64_t block = 0, unsigned rounds = 1);

}  // namespace cox::tests
