// SPDX-License-Identifier: MIT
// What a debugger sees of a program and does to its cores: states, halts, single steps and breakpoints.
#include <algorithm>

#include "sim/model/pim/machine/schedule.h"

namespace cox::model::pim {

CoreState Schedule::state(unsigned number) const {
  const Core &core = *cores_[number];
  CoreState state;
  state.phase = core.phase == Phase::running && (held_ & bit(number)) != 0 ? Phase::halted : core.phase;
  if (core.phase == Phase::absent) return state;
  state.counter = core.counter;
  state.instructions = core.code->size();
  state.open_messages = execution_.messages().open(number);
  const bool waits = core.phase == Phase::message || core.phase == Phase::wait || core.phase == Phase::barrier;
  if (waits) {
    state.other = core.other;
    state.id = core.id;
  }
  state.no_room = core.no_room;
  const Messages &messages = execution_.messages();
  const bool names_message = core.phase == Phase::wait || core.phase == Phase::ended;
  const auto open = !names_message               ? std::nullopt
                    : core.phase == Phase::ended ? messages.first_unmatched(number)
                                                 : messages.first_unmatched(number, core.other, core.id);
  if (open) {
    const Route &route = open->first;
    state.unmatched = open->second.position.instruction;
    state.other = route.sender == number ? route.receiver : route.sender;
    state.id = route.id;
  }
  if (core.phase == Phase::barrier) state.arrived = execution_.barriers().arrived(core.id);
  if (core.phase == Phase::faulted) {
    state.fault = core.fault;
    state.fault_time = core.fault_time + origin_;
  }
  return state;
}

bool Schedule::any_halted() const {
  return held_ != 0 && std::ranges::any_of(running_, [&](const std::unique_ptr<Core> &core) {
           return core->phase == Phase::running && (held_ & bit(core->number)) != 0;
         });
}

/// While a core is halted, no time limit holds.
void Schedule::set_held(unsigned number, bool held, Cycle now) {
  const bool before = any_halted();
  held_ = held ? held_ | bit(number) : held_ & ~bit(number);
  if (!before && any_halted()) halted_since_ = now;
  if (before && !any_halted()) limit_ += now - std::min(now, halted_since_);
}

void Schedule::hold(unsigned number, bool held) {
  if (!held && (held_ & bit(number)) != 0) {
    Core &core = *cores_[number];
    if (core.phase == Phase::running) {
      core.next = core.ready = std::max(core.next, now_);
      core.prepared.is = false;  // its start was found before the halt, and a debugger may have changed its operands
    }
    passing_ |= bit(number);
  }
  stepping_ &= ~bit(number);
  set_held(number, held, now_);
}

void Schedule::step_instruction(unsigned number) {
  if ((held_ & bit(number)) == 0) return;
  hold(number, false);
  stepping_ |= bit(number);
}

bool Schedule::stops_at_breakpoint(const Core &core) const {
  return (passing_ & bit(core.number)) == 0 && breakpoints_of_[core.number].contains(core.counter);
}

void Schedule::set_breakpoint(unsigned number, std::uint32_t instruction, bool set) {
  std::set<std::uint32_t> &of = breakpoints_of_[number];
  if (set) {
    of.insert(instruction);
  } else {
    of.erase(instruction);
  }
  breakpoints_ = of.empty() ? breakpoints_ & ~bit(number) : breakpoints_ | bit(number);
}

void Schedule::clear_breakpoints() {
  for (std::set<std::uint32_t> &of : breakpoints_of_) of.clear();
  breakpoints_ = 0;
}

}  // namespace cox::model::pim
