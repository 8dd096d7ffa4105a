// SPDX-License-Identifier: MIT
#include "sim/model/unity/engine.h"

#include <cstring>
#include <memory>

#include "sim/model/device/stream_fault.h"
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

Engine::Engine(const Surroundings &surroundings, const Options &options)
    : SerialEngine(kEngine, surroundings, options.geometry),
      geometry_(geometry_of(options)),
      machine_(timing_of(geometry_), geometry_.unity_units, options.path == model::Path::reference ? Path::reference : Path::fast),
      dram_(surroundings.host, port_),
      events_(surroundings.observers),
      registers_(machine_) {}

void Engine::reset(unsigned unit, Cycle now) {
  machine_.stop();
  SerialEngine::reset(unit, now);
}

void Engine::power_on() {
  machine_.clear();
  registers_.power_on();
  container_.reset();
}

bool Engine::write(registers::Name name, Index index, std::uint32_t value, Cycle now, const char *&reason) {
  // Keys come to the units as they are now. While all wait, nothing else tells the machine the time.
  if (name == registers::Name::unity_key_add && executing() && phase_ == Phase::run && !paused_) run_until(now);
  return registers_.write(name, index, value, now, reason);
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
  if (machine_.done()) end_container(now);
}

void Engine::step_starts(unsigned /*unit*/, Cycle now, Cycle enabled_at) {
  if (stream_start(enabled_at) <= now && begin_stream(now)) begin_container(now);
  if (executing() && phase_ == Phase::fetch && fetched_at_ <= now) start_units(now);
}

// Containers.

void Engine::begin_container(Cycle now) {
  phase_ = Phase::fetch;
  started_at_ = now;
  registers_.set_waiting({});
  container_.reset();
  event_.fault = fetch_container(now);
  if (event_.fault) return refuse(now);
  stood_ = port_.stands_still(now);
  const bool for_ever = stood_ == kNever;
  if (for_ever) stood_ = 0;
  // A unit fetches groups of instructions while it runs; it waits only for the header, the tables and the first group.
  fetched_at_ = for_ever ? kNever : now + geometry_.unity_dram_latency + stood_;
}

Fault Engine::fetch_container(Cycle now) {
  const std::uint64_t address = stream_.descriptor.address;
  if (address % isa::unity::kProgramAlignment != 0) return fault_of({ErrorCode::misaligned_address, "container"}, 0, nullptr);
  bytes_.resize(stream_.descriptor.bytes);
  if (const Fault fault = port_.read(address, bytes_.data(), bytes_.size(), 0, now)) return fault;
  if (const Fault fault = port_.check_ecc(address, bytes_.size())) return fault;
  const Result<Container> container = Container::open(bytes_);
  if (!container) return fault_of(container.status(), 0, nullptr);
  container_ = container.value();
  return {};
}

void Engine::start_units(Cycle now) {
  phase_ = Phase::run;
  dram_.begin(context());
  dram_.set_time(now);
  events_.begin(event_);
  machine_.set_listener(surroundings_.observers.empty() ? nullptr : &events_);
  const Registers::Context &own = registers_.context(stream_.context);
  machine_.start(*container_, {.address = stream_.descriptor.address, .page = own.page, .key_tables = own.key_tables}, dram_, now);
  if (machine_.done()) return end_container(now);
  run_until(now);
}

void Engine::end_container(Cycle now) {
  const Outcome &outcome = machine_.outcome();
  begin_event(now);
  event_.start = started_at_;
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
  port_.ring.counters.busy += now - started_at_ - stood_;
  port_.ring.counters.stalled += stood_;
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
    .check_configuration = nullptr,
};

}  // namespace cox::model::unity
