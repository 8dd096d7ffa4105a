// SPDX-License-Identifier: MIT
// A program of two Unity units that order their work by keys, and that finds out whether the run before left any.
#pragma once

#include "tests/firmware/stream_programs.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {

/// Number of sums of keyed_sums(), each an instruction.
inline constexpr unsigned kKeyedSums = 4;

/// Returns a program of two Unity units. Unit 1 adds pairs of vectors of window 0 (read-only), one after another, and gives a key for each
/// sum. Unit 0 waits for all keys, and stores the sums doubled. Window 1 has the sums and then the results. The container has no
/// initial keys: if a run that failed left keys, unit 0 begins too early.
TaskText keyed_sums();
/// Returns the contents of its windows, with other values for each `seed`.
WindowContents keyed_sums_contents(unsigned seed);

}  // namespace cox::tests
