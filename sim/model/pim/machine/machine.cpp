// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/machine.h"

#include "sim/model/pim/machine/schedule.h"

namespace cox::model::pim {

Machine::Machine(const isa::pim::Configuration &configuration, const Timing &timing, const Energy &energy, unsigned cores, Path path)
    : schedule_(std::make_unique<Schedule>(configuration, timing, energy, cores, path)) {}
Machine::~Machine() = default;

unsigned Machine::cores() const { return schedule_->cores(); }
const isa::pim::Configuration &Machine::configuration() const { return schedule_->configuration(); }
void Machine::clear() { schedule_->clear(); }
void Machine::set_listener(Listener *listener) { schedule_->set_listener(listener); }

void Machine::start(const isa::pim::Program &program, Dram &dram, Cycle now) { schedule_->start(program, dram, now); }
Cycle Machine::next_event() const { return schedule_->next_event(); }
void Machine::step(Cycle now) { schedule_->step(now); }
bool Machine::done() const { return schedule_->done(); }
const Outcome &Machine::outcome() const { return schedule_->outcome(); }
void Machine::delay(Cycle stood) { schedule_->delay(stood); }
void Machine::slow_down(std::uint64_t factor) { schedule_->slow_down(factor); }
void Machine::stop() { schedule_->stop(); }

CoreState Machine::state(unsigned core) const { return schedule_->state(core); }
isa::pim::Registers &Machine::registers(unsigned core) { return schedule_->core(core).registers; }
const isa::pim::Registers &Machine::registers(unsigned core) const { return schedule_->core(core).registers; }
std::span<std::byte> Machine::memory(unsigned core, unsigned space) {
  schedule_->core(core).storage.allocate();
  return schedule_->core(core).storage.bytes(space);
}
std::span<const std::uint32_t> Machine::output_registers(unsigned core) const {
  schedule_->core(core).storage.allocate();
  return schedule_->core(core).storage.output_registers();
}
Counters Machine::counters(unsigned core) const { return schedule_->counters(core); }

void Machine::halt(unsigned core) { schedule_->hold(core, true); }
void Machine::resume(unsigned core) { schedule_->hold(core, false); }
void Machine::step_instruction(unsigned core) { schedule_->step_instruction(core); }
void Machine::set_breakpoint(unsigned core, std::uint32_t number, bool set) { schedule_->set_breakpoint(core, number, set); }
void Machine::clear_breakpoints() { schedule_->clear_breakpoints(); }

}  // namespace cox::model::pim
