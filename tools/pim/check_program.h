// SPDX-License-Identifier: MIT
// The checks of `cox check` for a PIM program (docs/pim.md, Checking): each instruction's bits, the copies, and a run with inputs of 0 that
// looks for faults, deadlocks and accesses that nothing orders.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/pim/configuration/settings.h"
#include "tools/check/report.h"
#include "tools/image/contents.h"

namespace cox::tools::pim {

struct CheckedProgram {
  std::span<const std::uint8_t> stream;
  std::vector<Window> windows;  ///< none: the windows of a program without bindings
  std::vector<Constant> constants;
};

/// The run stops after this many cycles with a warning.
inline constexpr std::uint64_t kMostCheckedCycles = 20'000'000;

[[nodiscard]] Report check_program(const CheckedProgram &checked, const model::pim::Settings &settings,
                                   std::uint64_t most_cycles = kMostCheckedCycles);

}  // namespace cox::tools::pim
