// SPDX-License-Identifier: MIT
#include "tools/pim/waiting_text.h"

#include <fmt/format.h>

#include "tools/pim/fault_text.h"

namespace cox::tools::pim {

std::string waiting_text(const isa::pim::Program &program, unsigned core, const model::pim::CoreState &state) {
  using model::pim::Phase;
  const std::string place = place_text(program, {core, state.counter});
  const std::string open =
      state.open_messages == 0 ? "" : fmt::format("; {} of its messages have not met their other side", state.open_messages);
  switch (state.phase) {
    case Phase::absent: return fmt::format("core {}: has no program", core);
    case Phase::running: return fmt::format("{}: is next{}", place, open);
    case Phase::halted: return fmt::format("{}: is next; the core is halted{}", place, open);
    case Phase::message: return fmt::format("{}: waits for core {} and the message with id {}", place, state.other, state.id);
    case Phase::wait: return fmt::format("{}: waits for messages of core {} with id {}", place, state.other, state.id);
    case Phase::barrier:
      return fmt::format("{}: waits at barrier {}, where core{} {} arrived", place, state.id,
                         (state.arrived & (state.arrived - 1)) == 0 ? "" : "s",
                         cores_text(state.arrived) + ((state.arrived & (state.arrived - 1)) == 0 ? " has" : " have"));
    case Phase::ended: return fmt::format("core {}: has ended after {} instructions{}", core, state.instructions, open);
    case Phase::faulted:
      return fault_text(program, state.fault.at(static_cast<std::int32_t>(isa::pim::Position{core, state.counter}.pack())));
  }
  return {};
}

}  // namespace cox::tools::pim
