// SPDX-License-Identifier: MIT
// The checks of `cox check` for an xDSA program (docs/unity-assembly.md, Checking): each instruction with its operand table or its slots,
// and a run with inputs of 0 that looks for faults, keys that never come and accesses that nothing orders.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/model/options.h"
#include "tools/check/report.h"
#include "tools/image/stream_image.h"

namespace cox::tools::unity {

struct CheckedProgram {
  std::span<const std::uint8_t> container;
  StreamBindings bindings;  ///< without windows: the program may touch all addresses behind the container
  model::Options device{};
};

/// The run stops after this many cycles with a warning.
inline constexpr std::uint64_t kMostCheckedCycles = 20'000'000;

[[nodiscard]] Report check_program(const CheckedProgram &checked, std::uint64_t most_cycles = kMostCheckedCycles);

}  // namespace cox::tools::unity
