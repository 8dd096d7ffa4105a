// SPDX-License-Identifier: MIT
// Analyses a whole task before it runs: its tokens and its hazards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/base/result.h"
#include "sim/model/tile/hazard/detector.h"
#include "sim/model/tile/hazard/schedule.h"

namespace cox::model::hazard {

/// Makes a Step, with its touches, for each instruction, in program order. The steps can then be analysed with any number of variations of
/// dependency bits. L2 regions are those that earlier instructions in program order have set. Error: the Status of the first instruction
/// that fails the check (isa/instruction_set.h) or resolve(); `index` is the instruction.
[[nodiscard]] Result<std::vector<Step>> make_steps(std::span<const isa::tile::MachineCode> instructions);

struct Analysis {
  std::vector<Imbalance> imbalances;
  std::vector<Stuck> stuck;
  std::vector<Hazard> hazards;              ///< between instructions that can run, sorted by the later instruction
  std::vector<StaleWeights> stale_weights;  ///< warnings, in program order

  [[nodiscard]] bool passes() const { return imbalances.empty() && stuck.empty() && hazards.empty(); }
};

/// Returns true if analyse() would find nothing wrong. Stops at the first problem.
[[nodiscard]] bool passes(std::span<const Step> steps);

/// `layers` is empty or has an entry for each step.
[[nodiscard]] Analysis analyse(std::span<const Step> steps, std::span<const Layers> layers = {});

}  // namespace cox::model::hazard
