// SPDX-License-Identifier: MIT
#include "sim/model/pim/engine.h"

#include <memory>

#include "sim/model/device/stream_fault.h"
#include "sim/model/pim/make.h"

namespace cox::model::pim {

namespace {

Geometry geometry_of(const Options &options) {
  Geometry geometry{options.geometry};
  set_parameters(geometry, kParameters, options.parameters);
  return geometry;
}

}  // namespace

Engine::Engine(const Surroundings &surroundings, const Options &options)
    : SerialEngine(kEngine, surroundings, options.geometry), geometry_(geometry_of(options)) {}

Cycle Engine::next_event(unsigned /*unit*/, Cycle enabled_at) const { return stream_start(enabled_at); }

void Engine::step_ends(unsigned /*unit*/, Cycle /*now*/) {}

/// Refuses each program: the cores are not there yet.
void Engine::step_starts(unsigned /*unit*/, Cycle now, Cycle enabled_at) {
  if (stream_start(enabled_at) > now || !begin_stream(now)) return;
  event_.fault = stream_fault(FaultCode::unsupported, 0);
  refuse(now);
}

void Engine::pause(unsigned /*unit*/, Cycle /*now*/) {}

void Engine::resume(unsigned /*unit*/, Cycle /*now*/, Cycle /*stood*/) {}

void Engine::power_on() {}

bool Engine::read(registers::Name name, Index /*index*/, std::uint32_t &value) const {
  if (name != registers::Name::pim_cores) return false;
  value = geometry_.pim_cores;
  return true;
}

// The engine's entry in the registry of engines.

static constexpr auto kParameterList = parameters_of(kParameters);

const EngineKind kKind{
    .id = Engine::kEngine,
    .parameters = kParameterList,
    .make = [](const Surroundings &surroundings, const Options &options) -> std::unique_ptr<model::Engine> {
      return std::make_unique<Engine>(surroundings, options);
    },
};

}  // namespace cox::model::pim
