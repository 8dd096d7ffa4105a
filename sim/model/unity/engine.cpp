// SPDX-License-Identifier: MIT
#include "sim/model/unity/engine.h"

#include <cstring>
#include <memory>

#include "sim/model/unity/fault.h"
#include "sim/model/unity/make.h"

namespace cox::model::unity {

namespace {

using isa::unity::Container;

Geometry geometry_of(const Options &options) {
  Geometry geometry{options.geometry};
  set_parameters(geometry, kParameters, options.parameters);
  return geometry;
}

Timing timing_of(const Geometry &geometry) {
  Timing timing;
  timing.macs_per_cycle = geometry.unity_macs_per_cycle;
  timing.dram_latency = geometry.unity_dram_latency;
  timing.dram_bytes_per_cycle = geometry.unity_dram_bytes_per_cycle;
  return timing;
}

}  // namespace

Engine::Engine(const Surroundings &surroundings, const Options &options) : Engine(surroundings, options, geometry_of(options)) {}

Engine::Engine(const Surroundings &surroundings, const Options &options, const Geometry &geometry)
    : ProgramEngine(kEngine, surroundings, options.geometry, timing_of(geometry), geometry.unity_units,
                    options.path == model::Path::reference ? Path::reference : Path::fast),
      geometry_(geometry),
      gate_(surroundings.peers, machine_),
      events_(surroundings.observers),
      registers_(machine_) {
  machine_.set_gate(&gate_);
}

void Engine::power_on() {
  machine_.clear();
  registers_.power_on();
  container_.reset();
}

void Engine::reset(unsigned unit, Cycle now) {
  if (!gate_.has_drained()) context().quarantine(now);  // other engines stop at their next instruction
  ProgramEngine::reset(unit, now);
  machine_.clear();
  gate_.forget();
}

bool Engine::write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) {
  if (name == registers::Name::unity_key_add) catch_up(now);  // keys come to the units as they are now
  return registers_.write(name, index, value, now, reason);
}

// Containers.

void Engine::forget_program() {
  registers_.set_waiting({});
  container_.reset();
}

Fault Engine::check_address(std::uint64_t address) const {
  if (address % isa::unity::kProgramAlignment != 0) return fault_of({ErrorCode::misaligned_address, "container"}, 0, nullptr);
  return {};
}

Fault Engine::open_program() {
  const Result<Container> container = Container::open(bytes_);
  if (!container) return fault_of(container.status(), 0, nullptr);
  container_ = container.value();
  return {};
}

/// A unit fetches groups of instructions while it runs; it waits only for the header, the tables and the first group.
Cycle Engine::fetch_cycles() { return geometry_.unity_dram_latency; }

void Engine::start_program(Cycle now) {
  events_.begin(event_);
  machine_.set_listener(surroundings_.observers.empty() ? nullptr : &events_);
  const Registers::Context &own = registers_.context(stream_.context);
  gate_.begin(stream_.context);
  machine_.start(*container_, {.address = stream_.descriptor.address, .page = own.page, .key_tables = own.key_tables}, bus_, now);
  if (!machine_.done()) machine_.step(now);
}

void Engine::report_outcome() {
  const Outcome &outcome = machine_.outcome();
  if (!outcome.status) {
    const isa::unity::Position position = isa::unity::Position::unpack(outcome.position);
    isa::unity::MachineCode code{};
    if (position.step != 0) std::memcpy(&code, &bytes_[position.byte()], sizeof code);
    event_.fault = fault_of(outcome.status, outcome.position, position.step != 0 ? &code : nullptr);
    event_.position = outcome.position;
    registers_.set_waiting(outcome.waiting);
  }
  for (unsigned unit = 0; unit < machine_.units(); ++unit) {
    port_.ring.counters.instructions += machine_.counters(unit).instructions;
    port_.ring.counters.bytes += machine_.counters(unit).bytes;
  }
}

// The engine's entry in the registry of engines.

static constexpr auto kParameterList = parameters_of(kParameters);

const EngineKind kKind{
    .id = Engine::kEngine,
    .parameters = kParameterList,
    .make = [](const Surroundings &surroundings, const Options &options) -> std::unique_ptr<model::Engine> {
      return std::make_unique<Engine>(surroundings, options);
    },
    .check_configuration = nullptr,
};

}  // namespace cox::model::unity
