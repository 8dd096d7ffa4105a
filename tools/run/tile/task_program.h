// SPDX-License-Identifier: MIT
// A task as a program that runs as a job.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/registry/job_program.h"
#include "tools/tile/task.h"

namespace cox::tools::run {

/// `image`: the task image of `task`.
[[nodiscard]] std::shared_ptr<const JobProgram> program_of(task::Task task, std::vector<std::uint8_t> image);
/// The same, and builds the image.
[[nodiscard]] std::shared_ptr<const JobProgram> program_of(task::Task task);

/// Reads a task image, or a stream with the bindings beside it. A task without a name gets the file's. Throws FileError.
[[nodiscard]] std::shared_ptr<const JobProgram> read_task_program(const std::string &path);

}  // namespace cox::tools::run
