// SPDX-License-Identifier: MIT
// A picture of what the engines did, from the model's event log (docs/tracing.md, Engines).
#pragma once

#include <cstdint>
#include <limits>
#include <ostream>
#include <string>

#include "tools/registry/program_format.h"

namespace cox::tools::run {

struct EnginePictureOptions {
  std::string title;
  std::uint64_t from = 0;  ///< cycles since the start of the first instruction of any stream
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
  bool units = false;     ///< draws a lane for each unit also for engines that have one for each core (ProgramFormat::draws_cores())
  unsigned width = 1600;  ///< pixels
};
inline constexpr unsigned kLeastPictureWidth = 640, kMostPictureWidth = 20'000;

/// Draws the lanes that have instructions in the log, for all engines of `formats`. An instruction is a box in the colour of its kind.
/// Flags and configurations are grey ticks. A message or a key is an arrow between the lanes of its cores, and a barrier a line across the
/// lanes of its cores. Throws Failure(failed) if no instruction lies between `from` and `to`,
/// Failure(bad_input) if `log` cannot be read or is no event log.
void write_engine_timeline_svg(std::ostream &out, const std::string &log, const EnginePictureOptions &options, ProgramFormats formats);

}  // namespace cox::tools::run
