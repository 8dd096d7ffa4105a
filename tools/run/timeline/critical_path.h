// SPDX-License-Identifier: MIT
// What a run's length was made of: from the last end back through what each start waited for (docs/tracing.md, The critical path).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/run/timeline/waits.h"

namespace cox::tools::run {

/// What a stretch of the critical path was spent on.
enum class Spent : std::uint8_t {
  matrix,         ///< PE
  vector,         ///< VP
  dram,           ///< LD, LW and ST, as long as they would take alone
  bandwidth,      ///< and what others that moved bytes cost them
  transform,      ///< DT
  exchange,       ///< SI and SO
  configuration,  ///< CT, and configurations of all classes
  dispatch,       ///< between an end and the doorbell that it led to: interrupt, control core
  doorbell,       ///< from a doorbell to the start
  device,         ///< WaitFor::device
};
inline constexpr std::size_t kSpent = 10;

struct Stretch {
  Spent on = Spent::matrix;
  Span when;
  std::size_t instruction = 0;  ///< index into Timeline::instructions: the one that runs, or that waits
  bool runs = false;            ///< it is an execution
};

/// In order of time, without gaps, from 0 to the last end; empty where nothing ran.
std::vector<Stretch> critical_path(const Timeline &timeline, const Waits &waits);

/// Cycles of the path by what they were spent on; their sum is the path's length.
std::array<std::uint64_t, kSpent> spent_cycles(const std::vector<Stretch> &path);

/// "matrix engine": for people.
const char *name_of(Spent on);

}  // namespace cox::tools::run
