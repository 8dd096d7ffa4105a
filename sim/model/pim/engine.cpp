// SPDX-License-Identifier: MIT
#include "sim/model/pim/engine.h"

#include <memory>

#include "sim/model/device/stream_fault.h"
#include "sim/model/pim/make.h"

namespace cox::model::pim {

Engine::Engine(const Surroundings &surroundings, const Options &options) : SerialEngine(kEngine, surroundings, options.geometry) {}

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

// The engine's entry in the registry of engines.

const EngineKind kKind{
    .id = Engine::kEngine,
    .parameters = {},
    .make = [](const Surroundings &surroundings, const Options &options) -> std::unique_ptr<model::Engine> {
      return std::make_unique<Engine>(surroundings, options);
    },
};

}  // namespace cox::model::pim
