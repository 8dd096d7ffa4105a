// SPDX-License-Identifier: MIT
#include "sim/model/observers/hazard_observer.h"

#include <fmt/format.h>

#include <bit>

namespace cox::model {

namespace {

const char *place_text(hazard::Place place) {
  switch (place) {
    case hazard::Place::l2: return "L2 bytes";
    case hazard::Place::wl0: return "WL0 bytes";
    case hazard::Place::dram: return "window bytes";
    case hazard::Place::region: return "the definition of region";
  }
  return "";
}

}  // namespace

std::string HazardObserver::text(const Run &run, std::int32_t instruction) {
  const Name &name = run.started[static_cast<std::size_t>(instruction)];
  const bool several_cores = std::popcount(run.cores) > 1;
  const std::string core = several_cores ? fmt::format(" of core {}", isa::tile::core_of_lane(name.lane)) : "";
  return fmt::format("{}[{}]{}", isa::tile::kClassNames[isa::tile::class_of_lane(name.lane)], name.ordinal, core);
}

void HazardObserver::on_start(const InstructionEvent &event) {
  Run &run = runs_[event.context];
  run.cores |= 1U << event.core;
  isa::tile::Configuration &configuration = run.configurations[isa::tile::core_of(event.code)];
  // A bad cut faults at the end of its instruction; until then and after that, what held before holds.
  (void)configuration.apply(event.code);
  const Result<hazard::Step> step = hazard::make_step(event.code, configuration);
  if (!step) return;
  const isa::tile::Lane lane = isa::tile::lane_of(event.code);
  run.started.push_back({lane, event.ordinal});
  run.running[isa::tile::lane_of(event.core, event.queue)] = lane;
  run.detector.start(static_cast<std::int32_t>(run.started.size() - 1), step.value());
  report(event, run);
  engines_.on_start(event, step.value().touches);
}

void HazardObserver::on_end(const InstructionEvent &event) {
  if (event.context >= kMostContexts) return;
  Run &run = runs_[event.context];
  std::optional<isa::tile::Lane> &running = run.running[isa::tile::lane_of(event.core, event.queue)];
  if (running) run.detector.end(*running);
  running.reset();
  engines_.on_end(event);
}

void HazardObserver::on_context_reset(unsigned context, Cycle /*now*/) {
  runs_[context] = Run{};
  if (context == cube_context_) cube_ = {};
}

void HazardObserver::on_core_reset(unsigned core, Cycle now) {
  for (Run &run : runs_) {
    if ((run.cores >> core & 1U) != 0) run = Run{};
  }
  engines_.on_core_reset(core, now);
}

void HazardObserver::on_stream_start(const StreamEvent &event) {
  engines_.on_stream_start(event);
  if (event.cube == nullptr) return;
  cube_context_ = event.context;
  cube_.add(*event.cube_code, *event.cube, cube_findings_);
  report(event.context);
}

void HazardObserver::on_stream_end(const StreamEvent &event) {
  engines_.on_stream_end(event);
  if (event.engine != registers::Engine::cube || !event.last) return;
  if (event.fault) {
    // Which flag would have helped is worth a sentence beside the fault. What would have come later is not known.
    if (event.cube != nullptr) cube_.add(*event.cube_code, *event.cube, cube_findings_);
    report(event.context);
    cube_ = {};
  } else if (!event.joined) {
    cube_.end(cube_findings_);
    report(event.context);
  }
}

void HazardObserver::on_engine_reset(registers::Engine engine, Cycle now) {
  engines_.on_engine_reset(engine, now);
  if (engine == registers::Engine::cube) cube_ = {};
}

void HazardObserver::on_interrupt(unsigned /*line*/, bool /*level*/, Cycle /*now*/) {}

void HazardObserver::report(unsigned context) {
  for (const cube::Finding &finding : cube_findings_) host_.warning("matrix unit, context {}: {}", context, finding.text());
  cube_findings_.clear();
}

void HazardObserver::report(const InstructionEvent &event, Run &run) {
  const std::vector<hazard::Hazard> &hazards = run.detector.hazards();
  for (; run.reported_hazards < hazards.size(); ++run.reported_hazards) {
    const hazard::Hazard &found = hazards[run.reported_hazards];
    const std::string core = found.core == 0 ? "" : fmt::format(" of core {}", found.core);
    host_.warning("hazard: context {}: {}: nothing orders {} and {}, both touch {} {} to {}{}", event.context,
                  hazard::kind_name(found.kind), text(run, found.earlier), text(run, found.later), place_text(found.place), found.first,
                  found.last, core);
  }
  const std::vector<hazard::StaleWeights> &stale = run.detector.stale_weights();
  for (; run.reported_stale < stale.size(); ++run.reported_stale) {
    const hazard::StaleWeights &found = stale[run.reported_stale];
    host_.warning("context {}: {}: the WL0 block at {} is not the one loaded for this convolution", event.context,
                  text(run, found.convolution), found.address);
  }
}

}  // namespace cox::model
