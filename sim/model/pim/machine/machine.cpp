// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/machine.h"

#include "sim/model/pim/machine/schedule.h"

namespace cox::model::pim {

class Machine::State : public Schedule {
 public:
  using Schedule::Schedule;
};

Machine::Machine(const isa::pim::Configuration &configuration, const Timing &timing, const Energy &energy, unsigned cores, Path path)
    : state_(std::make_unique<State>(configuration, timing, energy, cores, path)) {}
Machine::~Machine() = default;

unsigned Machine::cores() const { return state_->cores(); }
const isa::pim::Configuration &Machine::configuration() const { return state_->configuration(); }
void Machine::power_on() { state_->power_on(); }
void Machine::set_listener(Listener *listener) { state_->set_listener(listener); }

void Machine::start(const isa::pim::Program &program, Dram &dram, Cycle now) { state_->start(program, dram, now); }
Cycle Machine::next_event() const { return state_->next_event(); }
void Machine::step(Cycle now) { state_->step(now); }
bool Machine::done() const { return state_->done(); }
const Outcome &Machine::outcome() const { return state_->outcome(); }
void Machine::delay(Cycle stood) { state_->delay(stood); }
void Machine::slow_down(std::uint64_t factor) { state_->slow_down(factor); }
void Machine::stop() { state_->stop(); }

CoreState Machine::state(unsigned core) const { return state_->state(core); }
isa::pim::Registers &Machine::registers(unsigned core) { return state_->core(core).registers; }
const isa::pim::Registers &Machine::registers(unsigned core) const { return state_->core(core).registers; }
std::span<std::byte> Machine::memory(unsigned core, unsigned space) {
  state_->core(core).storage.allocate();
  return state_->core(core).storage.bytes(space);
}
std::span<const std::uint32_t> Machine::output_registers(unsigned core) const {
  state_->core(core).storage.allocate();
  return state_->core(core).storage.output_registers();
}
Counters Machine::counters(unsigned core) const { return state_->counters(core); }

void Machine::halt(unsigned core) { state_->hold(core, true); }
void Machine::resume(unsigned core) { state_->hold(core, false); }
void Machine::step_instruction(unsigned core) { state_->step_instruction(core); }
void Machine::set_breakpoint(unsigned core, std::uint32_t number, bool set) { state_->set_breakpoint(core, number, set); }
void Machine::clear_breakpoints() { state_->clear_breakpoints(); }

}  // namespace cox::model::pim
