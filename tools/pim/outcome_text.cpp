// SPDX-License-Identifier: MIT
#include "tools/pim/outcome_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/pim/fault_text.h"
#include "tools/pim/waiting_text.h"

namespace cox::tools::pim {

std::vector<CoreFault> faults_of(const isa::pim::Program &program, const model::pim::Machine &machine) {
  std::vector<CoreFault> faults;
  for (unsigned core = 0; core < std::min(program.cores(), machine.cores()); ++core) {
    const model::pim::CoreState state = machine.state(core);
    if (state.phase != model::pim::Phase::faulted) continue;
    const isa::pim::Position position{core, state.counter};
    faults.push_back({position, state.fault, fault_text(program, position, state.fault)});
  }
  return faults;
}

std::string deadlock_text(const isa::pim::Program &program, const model::pim::Machine &machine, std::uint64_t waiting) {
  std::string text = fmt::format("deadlock: core{} {} can never go on", (waiting & (waiting - 1)) == 0 ? "" : "s", cores_text(waiting));
  for (unsigned core = 0; core < program.cores(); ++core) {
    if ((waiting >> core & 1) != 0) text += "\n  " + waiting_text(program, core, machine.state(core));
  }
  return text;
}

std::string outcome_text(const isa::pim::Program &program, const model::pim::Machine &machine) {
  const model::pim::Outcome &outcome = machine.outcome();
  if (outcome.status.ok()) return "";
  std::vector<CoreFault> faults = faults_of(program, machine);
  std::ranges::stable_partition(faults, [&](const CoreFault &fault) { return fault.position.core == outcome.position.core; });
  std::string text;
  for (const CoreFault &fault : faults) text += (text.empty() ? "" : "\n") + fault.text;
  if (outcome.waiting != 0) text += (text.empty() ? "" : "\n") + deadlock_text(program, machine, outcome.waiting);
  return text.empty() ? fault_text(program, outcome.status) : text;
}

}  // namespace cox::tools::pim
