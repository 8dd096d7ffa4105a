// SPDX-License-Identifier: MIT
#include "sim/model/tile/token_order.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

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

std::string TokenOrder::text(const Run &run, std::int32_t instruction) {
  const Name &name = run.started[static_cast<std::size_t>(instruction)];
  const bool several_cores = std::popcount(run.cores) > 1;
  const std::string core = several_cores ? fmt::format(" of core {}", isa::tile::core_of_lane(name.lane)) : "";
  return fmt::format("{}[{}]{}", isa::tile::kClassNames[isa::tile::class_of_lane(name.lane)], name.ordinal, core);
}

std::string TokenOrder::name(const InstructionEvent &event) const {
  return fmt::format("{}[{}] of core {}, context {}", isa::tile::kClassNames[event.lane], event.position, event.core, event.context);
}

void TokenOrder::on_start(const InstructionEvent &event) {
  isa::tile::MachineCode code{};
  std::memcpy(code.data(), event.code.data(), sizeof code);
  Run &run = runs_[event.context];
  run.cores |= 1U << event.core;
  isa::tile::Configuration &configuration = run.configurations[isa::tile::core_of(code)];
  // Ignore the error of a ct_bc with an invalid cut: the instruction changes nothing, and the device reports the fault when it ends.
  (void)configuration.apply(code);
  const Result<hazard::Step> step = hazard::make_step(code, configuration);
  if (!step) return;
  const isa::tile::Lane lane = isa::tile::lane_of(code);
  run.started.push_back({lane, event.position});
  run.running[isa::tile::lane_of(event.core, event.lane)] = lane;
  run.detector.start(static_cast<std::int32_t>(run.started.size() - 1), step.value());
  report(event, run);
}

void TokenOrder::on_end(const InstructionEvent &event) {
  if (event.context >= kMostContexts) return;
  Run &run = runs_[event.context];
  std::optional<isa::tile::Lane> &running = run.running[isa::tile::lane_of(event.core, event.lane)];
  if (running) run.detector.end(*running);
  running.reset();
}

void TokenOrder::on_context_reset(unsigned context) { runs_[context] = Run{}; }

void TokenOrder::on_engine_reset(unsigned core) {
  for (Run &run : runs_) {
    if ((run.cores >> core & 1U) != 0) run = Run{};
  }
}

void TokenOrder::report(const InstructionEvent &event, Run &run) {
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
