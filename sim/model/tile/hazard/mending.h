// SPDX-License-Identifier: MIT
// Finds the single dependency bit that a task lacks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/tile/hazard/touch.h"
#include "sim/model/tile/hazard/weight_blocks.h"

namespace cox::model::hazard {

/// One dependency bit: Next_Insts (or Prev_Insts) of `instruction` gets the class of `other`. If `other` is on another core, Next_Cores (or
/// Prev_Cores) gets that core instead.
struct DependencyBit {
  std::int32_t instruction = -1;
  bool next = false;
  Lane other = 0;
  bool stale_weights = false;  ///< with this bit set, the task is free of hazards, but some weights are stale

  bool operator==(const DependencyBit &) const = default;
};

/// Returns, in program order, each single bit that mends the task: if this bit is set, the task has balanced tokens, no deadlock and no
/// hazard. The result is empty if the tokens are balanced already, because any bit would unbalance them. The number of passes over the task
/// grows with the logarithm of its length.
[[nodiscard]] std::vector<DependencyBit> mending_bits(std::span<const Step> steps, std::span<const Layers> layers = {});

/// Returns `code` with this bit set, or `code` unchanged if its instruction has no such bit. Only SI and SO have bits for other cores.
[[nodiscard]] isa::tile::MachineCode with_bit(const isa::tile::MachineCode &code, const DependencyBit &bit);

}  // namespace cox::model::hazard
