// SPDX-License-Identifier: MIT
#include "sim/model/tile/hazard/analysis.h"

#include <algorithm>
#include <array>

#include "coxswain/isa/tile/table.h"

namespace cox::model::hazard {

namespace tile = isa::tile;

Result<std::vector<Step>> make_steps(std::span<const tile::MachineCode> instructions) {
  std::vector<Step> steps;
  std::array<tile::Configuration, tile::kMostCores> configurations;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    if (Status status = tile::check(instructions[i]); !status) return status.at(index);
    tile::Configuration &configuration = configurations[tile::core_of(instructions[i])];
    if (Status status = configuration.apply(instructions[i]); !status) return status.at(index);
    Result<Step> step = make_step(instructions[i], configuration);
    if (!step) return step.status().at(index);
    steps.push_back(std::move(step).value());
  }
  return steps;
}

bool passes(std::span<const Step> steps) {
  const Schedule schedule = make_schedule(steps);
  if (!schedule.complete()) return false;
  Detector detector;
  for (const std::int32_t i : schedule.order) {
    const Step &step = steps[static_cast<std::size_t>(i)];
    detector.start(i, step);
    detector.end(lane_of(step));
    if (!detector.hazards().empty()) return false;
  }
  return true;
}

Analysis analyse(std::span<const Step> steps, std::span<const Layers> layers) {
  Schedule schedule = make_schedule(steps);
  Detector detector;
  for (const std::int32_t i : schedule.order) {
    const auto index = static_cast<std::size_t>(i);
    detector.start(i, steps[index], layers.empty() ? Layers{} : layers[index]);
    detector.end(lane_of(steps[index]));
  }
  Analysis analysis{std::move(schedule.imbalances), std::move(schedule.stuck), detector.hazards(), detector.stale_weights()};
  std::sort(analysis.hazards.begin(), analysis.hazards.end(),
            [](const Hazard &a, const Hazard &b) { return a.later != b.later ? a.later < b.later : a.earlier < b.earlier; });
  return analysis;
}

}  // namespace cox::model::hazard
