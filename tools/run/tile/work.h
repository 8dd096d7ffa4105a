// SPDX-License-Identifier: MIT
// Computes the figures of the statistics that depend only on the task.
#pragma once

#include <cstdint>

#include "tools/tile/task.h"

namespace cox::tools::run {

/// Returns the multiply-accumulates of one run of the task.
std::uint64_t multiply_accumulates(const task::Task &task);

/// Returns the number of images that a run of the task computes: the first dimension of all its tensors, or 1 if the tensors differ in it.
std::uint64_t images_of(const task::Task &task);

}  // namespace cox::tools::run
