// SPDX-License-Identifier: MIT
// The files that `cox lower` writes.
#pragma once

#include <string>

#include "tools/lower/lowering.h"

namespace cox::lower {

/// The names of the stream FILE.jsonl, and of FILE.bindings.json and FILE.weights.bin beside it.
struct TaskFiles {
  std::string stream, bindings, weights;
};

[[nodiscard]] TaskFiles files_for(const std::string &stream);

/// Writes the files that `files` names. Throws tools::OutputError.
void write_task(const TaskFiles &files, const Network &network, const WeightImage &weights, const Lowering &lowering);

}  // namespace cox::lower
