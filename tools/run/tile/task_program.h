// SPDX-License-Identifier: MIT
// Implements JobProgram for tasks of tile instructions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/registry/job_program.h"
#include "tools/tile/task.h"

namespace cox::tools::run {

/// Returns the program of `task`. `image` is its task image.
[[nodiscard]] std::shared_ptr<const JobProgram> program_of(task::Task task, std::vector<std::uint8_t> image);
/// Like program_of(task, image), but also builds the image.
[[nodiscard]] std::shared_ptr<const JobProgram> program_of(task::Task task);

/// Reads a task image, or FILE.jsonl and FILE.bindings.json. A task without a name gets the name of the file. Throws FileError.
[[nodiscard]] std::shared_ptr<const JobProgram> read_task_program(const std::string &path);

}  // namespace cox::tools::run
