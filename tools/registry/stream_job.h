// SPDX-License-Identifier: MIT
// Implements JobProgram for the programs of engines that run streams, and loads them as the firmware does.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coxswain/base/status.h"
#include "tools/image/stream_image.h"
#include "tools/registry/job_program.h"
#include "tools/registry/stream_format.h"

namespace cox::tools {

/// Returns the error with which the firmware refuses to load an image, on a device that has all engines.
[[nodiscard]] Status load_status(std::span<const std::uint8_t> image);
/// Returns true if the firmware refuses a relocation. The index is the relocation's number then, and otherwise that of an instruction.
[[nodiscard]] bool is_of_relocation(const Status &status);
/// Returns a sentence for the user about an error of a load or of a run.
[[nodiscard]] std::string stream_error_text(const Status &status);

/// `bytes` is the task image of `image`, from the file `path`. A program without a name gets the name of the file. `device`: on
/// which it is to run. `format` must outlive the result.
[[nodiscard]] std::shared_ptr<const JobProgram> stream_job(const StreamFormat &format, const StreamImage &image,
                                                           std::vector<std::uint8_t> bytes, const std::string &path,
                                                           const model::Options &device = {});

}  // namespace cox::tools
