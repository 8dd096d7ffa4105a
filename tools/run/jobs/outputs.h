// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tools/run/jobs/workload.h"

namespace cox::tools::run {

/// By index into task.tensors, each output tensor: the bytes of all inferences back to back.
using OutputBytes = std::map<std::size_t, std::vector<std::uint8_t>>;

/// `repeated`: one inference's bytes are written of all. Throws OutputError.
void write_outputs(const Workload &workload, const OutputBytes &bytes_of, const std::vector<FileBinding> &outputs, bool repeated);

/// Of the same task on the same values, anything but the same result is an error of the machine: throws Failure(failed).
void check_repetitions(const Workload &workload, const OutputBytes &bytes_of);

}  // namespace cox::tools::run
