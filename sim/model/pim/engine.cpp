// SPDX-License-Identifier: MIT
#include "sim/model/pim/engine.h"

#include <algorithm>
#include <memory>
#include <string>

#include "sim/model/device/stream_fault.h"
#include "sim/model/pim/fault.h"
#include "sim/model/pim/geometry.h"
#include "sim/model/pim/make.h"

namespace cox::model::pim {

namespace {

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

Engine::Engine(const Surroundings &surroundings, const Options &options)
    : SerialEngine(kEngine, surroundings, options.geometry),
      settings_(settings_of(options)),
      machine_(settings_.configuration, settings_.timing, settings_.energy, *settings_.cores,
               options.path == model::Path::reference ? Path::reference : Path::fast),
      dram_(surroundings.host, port_),
      events_(surroundings.observers, dram_),
      bank_(machine_) {}

void Engine::reset(unsigned unit, Cycle now) {
  machine_.stop();
  SerialEngine::reset(unit, now);
}

void Engine::power_on() {
  machine_.clear();
  bank_.power_on();
  owner_.reset();
  program_.reset();
}

bool Engine::write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) {
  // The debugger acts on the cores as they are now. While all are halted, nothing else tells the machine the time.
  if (executing() && phase_ == Phase::run && !paused_) run_until(now);
  return bank_.write(name, index, value, reason);
}

void Engine::pause(unsigned /*unit*/, Cycle /*now*/) { paused_ = true; }

void Engine::resume(unsigned /*unit*/, Cycle /*now*/, Cycle stood) {
  paused_ = false;
  if (!executing()) return;
  if (phase_ == Phase::run) machine_.delay(stood);
  if (phase_ == Phase::fetch && fetched_at_ != kNever) fetched_at_ += stood;
  stood_ += stood;
}

// Time.

Cycle Engine::next_event(unsigned /*unit*/, Cycle enabled_at) const {
  if (!executing()) return stream_start(enabled_at);
  if (aborted()) return context().quarantined_at;
  return phase_ == Phase::fetch ? fetched_at_ : machine_.next_event();
}

void Engine::step_ends(unsigned /*unit*/, Cycle now) {
  if (!executing()) return;
  if (aborted()) {
    machine_.stop();
    event_.fault = stream_fault(FaultCode::aborted, 0);
    return end_stream(now);
  }
  if (phase_ == Phase::run) run_until(now);
}

void Engine::run_until(Cycle now) {
  dram_.set_time(now);
  machine_.step(now);
  if (machine_.done()) end_program(now);
}

void Engine::step_starts(unsigned /*unit*/, Cycle now, Cycle enabled_at) {
  if (stream_start(enabled_at) <= now && begin_stream(now)) begin_program(now);
  if (executing() && phase_ == Phase::fetch && fetched_at_ <= now) start_cores(now);
}

// Programs.

void Engine::begin_program(Cycle now) {
  phase_ = Phase::fetch;
  started_at_ = now;
  bank_.set_program(nullptr);
  bank_.set_waiting(0);
  program_.reset();
  event_.fault = fetch_program(now);
  if (event_.fault) return refuse(now);
  bank_.set_program(&*program_);
  stood_ = port_.stands_still(now);
  const bool for_ever = stood_ == kNever;
  if (for_ever) stood_ = 0;
  const Cycle fetch = settings_.timing.dram_latency + divide_up(bytes_.size(), settings_.timing.dram_bytes_per_cycle);
  fetched_at_ = for_ever ? kNever : now + clear_for_owner() + fetch + stood_;
}

Fault Engine::fetch_program(Cycle now) {
  bytes_.resize(stream_.descriptor.bytes);
  if (const Fault fault = port_.read(stream_.descriptor.address, bytes_.data(), bytes_.size(), 0, now)) return fault;
  if (const Fault fault = port_.check_ecc(stream_.descriptor.address, bytes_.size())) return fault;
  const Result<isa::pim::Program> program = isa::pim::Program::open(bytes_);
  if (!program) return fault_of(program.status(), {}, nullptr);
  program_ = program.value();
  return {};
}

/// Clears what another owner has left. Returns how long that takes: each local memory takes a line a cycle, and the array a row of all
/// macros, all at the same time.
Cycle Engine::clear_for_owner() {
  const std::uint32_t owner = context().owner;
  const bool clears = owner_ && *owner_ != owner;
  owner_ = owner;
  if (!clears) return 0;
  machine_.clear();
  const isa::pim::Array &array = settings_.configuration.array;
  Cycle cycles = Cycle{array.rows} * array.compartments;
  for (const isa::pim::Memory &memory : settings_.configuration.local_memories())
    cycles = std::max<Cycle>(cycles, divide_up(memory.bytes, memory.write_width));
  return cycles;
}

void Engine::start_cores(Cycle now) {
  phase_ = Phase::run;
  dram_.begin(context());
  dram_.set_time(now);
  events_.begin(event_, *program_, settings_.configuration);
  events_.start_copies(now);
  machine_.set_listener(surroundings_.observers.empty() ? nullptr : &events_);
  machine_.start(*program_, dram_, now);
  if (machine_.done()) end_program(now);
}

void Engine::end_program(Cycle now) {
  const Outcome &outcome = machine_.outcome();
  begin_event(now);
  event_.start = started_at_;
  if (!outcome.status) {
    event_.fault = fault_of(outcome.status, outcome.position, &*program_);
    event_.position = outcome.position.pack();
    if (outcome.status.code() == ErrorCode::deadlock) bank_.set_waiting(outcome.waiting);
  }
  for (unsigned core = 0; core < program_->cores() && core < machine_.cores(); ++core)
    port_.ring.counters.instructions += machine_.counters(core).instructions;
  port_.ring.counters.busy += now - started_at_ - stood_;
  port_.ring.counters.stalled += stood_;
  port_.ring.counters.bytes += dram_.moved();
  end_stream(now);
}

// The engine's entry in the registry of engines.

static constexpr auto kParameterList = parameters_of(kParameters);

const EngineKind kKind{
    .id = Engine::kEngine,
    .parameters = kParameterList,
    .make = [](const Surroundings &surroundings, const Options &options) -> std::unique_ptr<model::Engine> {
      return std::make_unique<Engine>(surroundings, options);
    },
    .check_configuration = [](std::string_view text, std::string_view path,
                              std::string &error) { return parse_settings(text, path, error).has_value(); },
};

}  // namespace cox::model::pim
