// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tools/run/jobs/workload.h"

namespace cox::tools::run {

/// Key: index of an output tensor in JobProgram::tensors(). Value: its bytes from all inferences, back to back.
using OutputBytes = std::map<std::size_t, std::vector<std::uint8_t>>;

/// Writes the outputs: those of all inferences, or of only one if `repeated` is set. Throws OutputError.
void write_outputs(const Workload &workload, const OutputBytes &bytes_of, const std::vector<FileBinding> &outputs, bool repeated);

/// Throws Failure(failed) if repeated inferences differ: the same task on the same values must give the same result.
void check_repetitions(const Workload &workload, const OutputBytes &bytes_of);

}  // namespace cox::tools::run
