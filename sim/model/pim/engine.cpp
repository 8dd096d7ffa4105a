// SPDX-License-Identifier: MIT
#include "sim/model/pim/engine.h"

#include <algorithm>
#include <memory>
#include <string>

#include "sim/model/pim/fault.h"
#include "sim/model/pim/geometry.h"
#include "sim/model/pim/make.h"

namespace cox::model::pim {

namespace {

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

Engine::Engine(const Surroundings &surroundings, const Options &options) : Engine(surroundings, options, settings_of(options)) {}

Engine::Engine(const Surroundings &surroundings, const Options &options, const Settings &settings)
    : ProgramEngine(kEngine, surroundings, options.geometry, settings.configuration, settings.timing, settings.energy, *settings.cores,
                    options.path == model::Path::reference ? Path::reference : Path::fast),
      settings_(settings),
      events_(surroundings.observers, bus_),
      bank_(machine_) {}

void Engine::power_on() {
  machine_.clear();
  bank_.power_on();
  owner_.reset();
  program_.reset();
}

bool Engine::write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) {
  catch_up(now);  // the debugger acts on the cores as they are now
  return bank_.write(name, index, value, reason);
}

// Programs.

void Engine::forget_program() {
  bank_.set_program(nullptr);
  bank_.set_waiting(0);
  program_.reset();
}

Fault Engine::open_program() {
  const Result<isa::pim::Program> program = isa::pim::Program::open(bytes_);
  if (!program) return fault_of(program.status(), {}, nullptr);
  program_ = program.value();
  bank_.set_program(&*program_);
  return {};
}

Cycle Engine::fetch_cycles() {
  return clear_for_owner() + settings_.timing.dram_latency + divide_up(bytes_.size(), settings_.timing.dram_bytes_per_cycle);
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

void Engine::start_program(Cycle now) {
  events_.begin(event_, *program_, settings_.configuration);
  events_.start_copies(now);
  machine_.set_listener(surroundings_.observers.empty() ? nullptr : &events_);
  machine_.start(*program_, bus_, now);
}

void Engine::report_outcome() {
  const Outcome &outcome = machine_.outcome();
  if (!outcome.status) {
    event_.fault = fault_of(outcome.status, outcome.position, &*program_);
    event_.position = outcome.position.pack();
    if (outcome.status.code() == ErrorCode::deadlock) bank_.set_waiting(outcome.waiting);
  }
  for (unsigned core = 0; core < program_->cores() && core < machine_.cores(); ++core)
    port_.ring.counters.instructions += machine_.counters(core).instructions;
  if (!energy_) energy_.emplace();
  for (unsigned core = 0; core < program_->cores() && core < machine_.cores(); ++core) *energy_ += machine_.counters(core).energy;
  port_.ring.counters.bytes += bus_.moved();
}

std::vector<Engine::EnergyPart> Engine::energy() const {
  if (!energy_) return {};
  return {{"compute", energy_->compute}, {"memory", energy_->memory}, {"dram", energy_->dram},
          {"network", energy_->network}, {"simd", energy_->simd},     {"instructions", energy_->instructions},
          {"leakage", energy_->leakage}};
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
