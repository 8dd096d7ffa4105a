// SPDX-License-Identifier: MIT
// A whole task, before it runs: its tokens, and its hazards.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "sim/model/hazard/detector.h"

namespace cox::model::hazard {

/// Instructions with their touches, in program order: worked out once, analysed with as many variations of dependency bits as wanted. L2
/// regions are those that hold in program order. The Status (its index the instruction) of the first that does not check (isa/tile/check.h)
/// or resolve.
[[nodiscard]] Result<std::vector<Step>> make_steps(std::span<const isa::tile::MachineCode> instructions);

/// An ordered pair of classes whose tokens do not come out even.
struct Imbalance {
  isa::tile::Class from = isa::tile::Class::CT;
  isa::tile::Class to = isa::tile::Class::CT;
  std::int64_t put = 0;
  std::int64_t taken = 0;
};

/// An instruction at the head of its class that can never start.
struct Stuck {
  std::int32_t instruction = -1;
  std::uint32_t waits_for = 0;  ///< bit c: there will be no token from class c; 0 does not occur
};

struct Analysis {
  std::vector<Imbalance> imbalances;
  std::vector<Stuck> stuck;
  std::vector<Hazard> hazards;              ///< of what can run
  std::vector<StaleWeights> stale_weights;  ///< likewise: warnings

  [[nodiscard]] bool passes() const { return imbalances.empty() && stuck.empty() && hazards.empty(); }
};

/// Runs `steps` in one of the orders that their tokens allow. `layers` is empty, or one a step.
[[nodiscard]] Analysis analyse(std::span<const Step> steps, std::span<const Layers> layers = {});

/// The tokens alone: imbalances and stuck.
[[nodiscard]] Analysis analyse_tokens(std::span<const Step> steps);

/// One dependency bit: Next_Insts (or Prev_Insts) of `instruction` gets `other`.
struct DependencyBit {
  std::int32_t instruction = -1;
  bool next = false;
  isa::tile::Class other = isa::tile::Class::CT;
  bool warnings = false;  ///< with it the task passes, but weights are stale
};

/// All single bits whose addition makes analyse() pass, in program order, those without warnings first. None where it passes already, and
/// none where no single bit does: tokens that come out even do so no longer with one more.
[[nodiscard]] std::vector<DependencyBit> mending_bits(std::span<const Step> steps, std::span<const Layers> layers = {});

/// `step` with that bit.
[[nodiscard]] isa::tile::MachineCode with_bit(const isa::tile::MachineCode &code, const DependencyBit &bit);

}  // namespace cox::model::hazard
