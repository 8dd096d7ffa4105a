// SPDX-License-Identifier: MIT
// Engines' streams from the model's event log, as a picture (docs/tracing.md, Engines).
#pragma once

#include <cstdint>
#include <limits>
#include <ostream>
#include <string>

namespace cox::tools::run {

struct EnginePictureOptions {
  std::string title;
  std::uint64_t from = 0;  ///< cycles since the start of the first instruction of any stream
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
};

/// A lane for the MX engine and one for each pipe of the matrix unit that has instructions in the log, a box an instruction in the colour
/// of its kind; flags, barriers and configurations are grey ticks. Throws Failure(failed) where no instruction lies between `from` and
/// `to`, Failure(bad_input) where `log` cannot be read or is no event log.
void write_engine_timeline_svg(std::ostream &out, const std::string &log, const EnginePictureOptions &options);

}  // namespace cox::tools::run
