// SPDX-License-Identifier: MIT
// A whole task, before it runs: its tokens, and its hazards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "sim/model/tile/hazard/detector.h"
#include "sim/model/tile/hazard/schedule.h"

namespace cox::model::hazard {

/// Instructions with their touches, in program order: worked out once, analysed with as many variations of dependency bits as wanted. L2
/// regions are those that hold in program order. The Status (its index the instruction) of the first that does not check
/// (isa/instruction_set.h) or resolve.
[[nodiscard]] Result<std::vector<Step>> make_steps(std::span<const isa::tile::MachineCode> instructions);

struct Analysis {
  std::vector<Imbalance> imbalances;
  std::vector<Stuck> stuck;
  std::vector<Hazard> hazards;              ///< of what can run, in program order of the later instruction
  std::vector<StaleWeights> stale_weights;  ///< likewise: warnings

  [[nodiscard]] bool passes() const { return imbalances.empty() && stuck.empty() && hazards.empty(); }
};

/// Whether an analysis would: as far as the first thing that is wrong.
[[nodiscard]] bool passes(std::span<const Step> steps);

/// `layers` is empty, or one a step.
[[nodiscard]] Analysis analyse(std::span<const Step> steps, std::span<const Layers> layers = {});

}  // namespace cox::model::hazard
