// SPDX-License-Identifier: MIT
// Runs a program that has failed on the device once more on the model's machine, to say more than the device reports.
#pragma once

#include <string>

#include "coxswain/isa/pim/program.h"
#include "sim/model/pim/configuration/settings.h"
#include "tools/image/stream_image.h"
#include "tools/pim/window_memory.h"
#include "tools/registry/job_program.h"

namespace cox::tools::pim {

/// Adds the windows of `image`, with its constants and `contents`.
void fill_windows(WindowMemory &memory, const StreamImage &image, const RunContents &contents);

/// Returns outcome_text() of a run that begins with `contents`. Returns an empty text if that run does not end with the error `status`,
/// which the device has reported, or not within kMostCheckedCycles.
[[nodiscard]] std::string explain(const isa::pim::Program &program, const StreamImage &image, const model::pim::Settings &settings,
                                  const Status &status, const RunContents &contents);

}  // namespace cox::tools::pim
