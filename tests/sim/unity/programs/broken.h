// SPDX-License-Identifier: MIT
// Makes broken programs: takes a valid one and breaks one thing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "coxswain/base/status.h"
#include "tests/sim/unity/programs/program.h"
#include "tests/sim/unity/programs/random_program.h"

namespace cox::test::unity_programs {

/// What the machine must report.
struct Expected {
  ErrorCode code{};
  std::string what;
  bool at_open = false;                     ///< Container::open() refuses the container
  bool at_step = true;                      ///< the fault has the position of the step's instruction
  bool step_has_effect = false;             ///< the instruction changes memory before its fault
  unsigned units = isa::unity::kMostUnits;  ///< of the machine
};

/// A way to break a program.
struct Breaker {
  const char *name;
  /// Breaks the program at step `number`, which has one instruction, and writes it. Returns nullopt, and the program may have changed, if
  /// this breaker does not apply to the step.
  std::optional<Expected> (*apply)(Random &random, Program &program, std::size_t number);
};
[[nodiscard]] std::span<const Breaker> breakers();

struct Broken {
  Program program;
  Expected expected;
  Order order;  ///< of the valid program
  std::size_t step = 0;
};

/// Breaks a random program; nullopt if the breaker applies to no step of several programs.
[[nodiscard]] std::optional<Broken> broken_program(std::uint64_t seed, const Breaker &breaker, const Shape &shape);

}  // namespace cox::test::unity_programs
