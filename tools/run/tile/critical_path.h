// SPDX-License-Identifier: MIT
// The critical path of a run. It is followed backwards: from the end of the last instruction to its start, then to what this start waited
// for, and so on (docs/tracing.md, The critical path).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/run/tile/waits.h"

namespace cox::tools::run {

/// The cause of a stretch of the critical path.
enum class Spent : std::uint8_t {
  matrix,         ///< PE
  vector,         ///< VP
  dram,           ///< LD, LW and ST, without the time that `bandwidth` counts
  bandwidth,      ///< time that LD, LW and ST lost because others used DRAM at the same time
  transform,      ///< DT
  exchange,       ///< SI and SO
  configuration,  ///< CT, and configurations of all classes
  dispatch,       ///< from the end of an instruction to the doorbell that the control core then rang
  doorbell,       ///< from a doorbell to the start
  device,         ///< a wait for the device itself, for example while it cleared L2 or had stopped the clock
};
inline constexpr std::size_t kSpent = 10;

struct Stretch {
  Spent on = Spent::matrix;
  Span when;
  std::size_t instruction = 0;  ///< index into Timeline::instructions of the instruction that runs or waits
  bool runs = false;            ///< true: the instruction runs; false: it waits
};

/// Returns stretches in order of time, without gaps, from cycle 0 to the end of the last instruction. The list is empty if nothing ran.
std::vector<Stretch> critical_path(const Timeline &timeline, const Waits &waits);

/// Returns the cycles of the path by cause. Their sum is the path's length.
std::array<std::uint64_t, kSpent> spent_cycles(const std::vector<Stretch> &path);

/// Returns a name for the user, for example "matrix engine".
const char *name_of(Spent on);

}  // namespace cox::tools::run
