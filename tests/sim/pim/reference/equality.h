// SPDX-License-Identifier: MIT
#pragma once

#include <map>

#include "tests/sim/pim/reference/random_program.h"

namespace cox::model::pim::oracle {

/// Runs the program in the slow interpreter and on the machine, with timing, path and steps of seed `seed`. Both must end in the same way,
/// as GoogleTest's assertions say. `codes` counts the faults of cores. Returns false if the interpreter finds no end.
bool expect_equal(const RandomProgram &program, std::uint64_t seed, std::map<ErrorCode, unsigned> &codes);

}  // namespace cox::model::pim::oracle
