// SPDX-License-Identifier: MIT
// Implements JobProgram for the programs of engines that run streams.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/image/stream_image.h"
#include "tools/registry/job_program.h"

namespace cox::tools {

/// `bytes` is the task image of `image`, from the file `path`. A program without a name gets the name of the file.
[[nodiscard]] std::shared_ptr<const JobProgram> stream_job(const StreamImage &image, std::vector<std::uint8_t> bytes,
                                                           const std::string &path);

}  // namespace cox::tools
