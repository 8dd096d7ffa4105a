// SPDX-License-Identifier: MIT
// How a program ended on the model's machine, in words. `cox check`, `cox run` and the debugger share it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coxswain/isa/pim/program.h"
#include "sim/model/pim/machine/machine.h"

namespace cox::tools::pim {

/// A core that has faulted.
struct CoreFault {
  isa::pim::Position position;
  Status status;
  std::string text;
};
/// Returns the faults of all cores, in the order of cores.
[[nodiscard]] std::vector<CoreFault> faults_of(const isa::pim::Program &program, const model::pim::Machine &machine);

/// Returns the cores that can never go on, then a line for each with what it waits for. `waiting`: bit i: core i; not 0.
[[nodiscard]] std::string deadlock_text(const isa::pim::Program &program, const model::pim::Machine &machine, std::uint64_t waiting);

/// Returns the faults of all cores, the one that the device reports first, then deadlock_text(): a line or more each. Returns an empty text
/// if the program has ended well.
[[nodiscard]] std::string outcome_text(const isa::pim::Program &program, const model::pim::Machine &machine);

}  // namespace cox::tools::pim
