// SPDX-License-Identifier: MIT
// Writes the bindings of a task, so that a stream printed from an image assembles to that image again.
#pragma once

#include <string>

#include "tools/tile/task.h"

namespace cox::task {

/// Returns true if the task cannot be restored from its stream alone: it has a name, constants or tensors, or windows that differ from
/// those that infer_windows() finds.
[[nodiscard]] bool has_bindings(const Task &task);

/// Writes `path`, and beside it a file for each long constant. Throws tools::OutputError.
void write_bindings(const std::string &path, const Task &task);

}  // namespace cox::task
