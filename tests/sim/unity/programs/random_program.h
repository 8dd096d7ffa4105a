// SPDX-License-Identifier: MIT
// Makes random valid programs, without hazards and deadlocks.
#pragma once

#include <cstdint>

#include "tests/sim/unity/programs/program.h"

namespace cox::test::unity_programs {

struct Shape {
  unsigned most_units = 8, most_steps = 20;
  unsigned most_depth = 3;     ///< of sub-programs; a few programs use all eight
  bool relative_only = false;  ///< for `cox check`
};

/// The same seed gives the same program. It is written.
[[nodiscard]] Program random_program(std::uint64_t seed, const Shape &shape = {});

}  // namespace cox::test::unity_programs
