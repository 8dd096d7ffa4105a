// SPDX-License-Identifier: MIT
// Runs a random program on the machine.
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/unity/machine/machine.h"
#include "tests/sim/unity/programs/program.h"

namespace cox::test::unity_programs {

struct Ran {
  model::unity::Outcome outcome;
  ProgramMemory memory;
  std::array<std::array<std::uint16_t, isa::unity::kKeyEntries>, isa::unity::kKeyTables> keys{};
  std::uint64_t instructions = 0;
};

/// Runs the container of a program that has been written. `seed`: of the durations, 0: as they are. Error: that of Container::open().
[[nodiscard]] Result<Ran> run_on_machine(const Program &program, model::unity::Path path, std::uint64_t seed,
                                         unsigned units = isa::unity::kMostUnits);

/// `error what`, for messages.
[[nodiscard]] std::string text_of(const Status &status);

/// Steps, instructions and keys of a program, for messages.
[[nodiscard]] std::string text_of(const Program &program);

/// The number of programs: COX_UNITY_PROGRAMS, or `otherwise`.
[[nodiscard]] unsigned programs(unsigned otherwise);

}  // namespace cox::test::unity_programs
