// SPDX-License-Identifier: MIT
#include "tools/pim/waiting_text.h"

#include <fmt/format.h>

#include "coxswain/isa/pim/table.h"
#include "tools/pim/fault_text.h"

namespace cox::tools::pim {

namespace {

using model::pim::CoreState;

bool sends(const isa::pim::Program &program, isa::pim::Position position) {
  const isa::pim::Instruction *row = isa::pim::Set::find(program.code(position.core, position.instruction));
  return row != nullptr && row->opcode == isa::pim::Opcode::send;
}

std::string message_text(const isa::pim::Program &program, unsigned core, const CoreState &state) {
  if (state.no_room) return fmt::format("waits for one of its {} open messages to arrive", state.open_messages);
  return fmt::format("waits for core {} to {} the message with id {}", state.other,
                     sends(program, {core, state.counter}) ? "receive" : "send", state.id);
}

/// Returns a line about the message that has not met its other side, if there is such a message.
std::string unmatched_text(const isa::pim::Program &program, unsigned core, const CoreState &state) {
  if (state.unmatched < 0) return "";
  const isa::pim::Position position{core, static_cast<std::uint32_t>(state.unmatched)};
  return fmt::format("\n    {}: core {} has not {} this message, id {}", place_text(program, position), state.other,
                     sends(program, position) ? "received" : "sent", state.id);
}

std::string barrier_text(const CoreState &state) {
  const bool one = (state.arrived & (state.arrived - 1)) == 0;
  return fmt::format("waits at barrier {} of {} cores, where core{} {} {} arrived", state.id, state.other, one ? "" : "s",
                     cores_text(state.arrived), one ? "has" : "have");
}

}  // namespace

std::string waiting_text(const isa::pim::Program &program, unsigned core, const CoreState &state) {
  using model::pim::Phase;
  const std::string place = place_text(program, {core, state.counter});
  const std::string open = state.open_messages == 0 ? "" : fmt::format("; messages that have not arrived: {}", state.open_messages);
  switch (state.phase) {
    case Phase::absent: return fmt::format("core {}: has no program", core);
    case Phase::running: return fmt::format("{}: is next{}", place, open);
    case Phase::halted: return fmt::format("{}: is next; the core is halted{}", place, open);
    case Phase::message: return fmt::format("{}: {}", place, message_text(program, core, state));
    case Phase::wait:
      return fmt::format("{}: waits for messages with core {} and id {}{}", place, state.other, state.id,
                         unmatched_text(program, core, state));
    case Phase::barrier: return fmt::format("{}: {}", place, barrier_text(state));
    case Phase::ended:
      return fmt::format("core {}: has ended after {} instruction{}{}{}", core, state.instructions, state.instructions == 1 ? "" : "s",
                         open, unmatched_text(program, core, state));
    case Phase::faulted: return fault_text(program, {core, state.counter}, state.fault);
  }
  return {};
}

}  // namespace cox::tools::pim
