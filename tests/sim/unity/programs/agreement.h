// SPDX-License-Identifier: MIT
// What must hold of a valid program, in GoogleTest's assertions.
#pragma once

#include "tests/sim/unity/programs/interpreter.h"

namespace cox::test::unity_programs {

/// Runs the program in the interpreter, and on the machine with both paths and with random durations of seed `seed`. All must leave the
/// same bytes and keys.
void expect_agreement(const Program &program, Interpreter &interpreter, std::uint64_t seed);

}  // namespace cox::test::unity_programs
