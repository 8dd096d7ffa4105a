// SPDX-License-Identifier: MIT
// Computes the figures of the statistics that depend only on the task.
#pragma once

#include <cstdint>

#include "tools/tile/task.h"

namespace cox::tools::run {

/// Returns the multiply-accumulates of one run of the task.
std::uint64_t multiply_accumulates(const task::Task &task);

/// Returns the images that a run of the task computes: the first dimension if it is the same in all tensors, else 1.
std::uint64_t images_of(const task::Task &task);

}  // namespace cox::tools::run
