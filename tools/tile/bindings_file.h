// SPDX-License-Identifier: MIT
// Bindings of a task written as a file, so that a stream printed from an image assembles to that image again.
#pragma once

#include <string>

#include "tools/tile/task.h"

namespace cox::task {

/// Where the bindings of a stream stand: `digits.jsonl` -> `digits.bindings.json`.
[[nodiscard]] std::string bindings_path(const std::string &stream_path);

/// Would a bare stream of these instructions give the same name, windows, constants and tensors?
[[nodiscard]] bool has_bindings(const Task &task);

/// Writes `path`, and beside it a file for each constant that is long. Throws tools::OutputError.
void write_bindings(const std::string &path, const Task &task);

}  // namespace cox::task
