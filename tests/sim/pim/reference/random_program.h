// SPDX-License-Identifier: MIT
// Random programs over all instructions. Most are legal; in some an operand is wrong here and there. Their results do not depend on
// timing: cores share only messages, and DRAM that no core writes.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/sim/pim/reference/interpreter.h"

namespace cox::model::pim::oracle {

struct RandomProgram {
  Configuration configuration;
  std::vector<Code> codes;
  std::vector<Core> cores;  ///< at the start
  Dram dram;                ///< at the start
};

struct Shape {
  unsigned most_cores = 4;
  unsigned actions = 12;       ///< for each core, on average
  unsigned wrong = 0;          ///< one operand in so many is wrong; 0: none
  bool default_sizes = false;  ///< the default configuration instead of a random one
};

RandomProgram random_program(std::uint64_t seed, const Shape &shape);

}  // namespace cox::model::pim::oracle
