// SPDX-License-Identifier: MIT
// Which single dependency bit a task lacks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/tile/hazard/touch.h"
#include "sim/model/tile/hazard/weight_blocks.h"

namespace cox::model::hazard {

/// One dependency bit: Next_Insts (or Prev_Insts) of `instruction` gets the class of `other`, or Next_Cores (or Prev_Cores) its core, where
/// that is not the instruction's own.
struct DependencyBit {
  std::int32_t instruction = -1;
  bool next = false;
  Lane other = 0;
  bool stale_weights = false;  ///< with it the task passes, but with a warning

  bool operator==(const DependencyBit &) const = default;
};

/// All single bits whose addition leaves the task with even tokens, no deadlock and no hazard, in program order. None where tokens come out
/// even already: they no longer would. Takes a number of passes over the task that grows as the logarithm of its length.
[[nodiscard]] std::vector<DependencyBit> mending_bits(std::span<const Step> steps, std::span<const Layers> layers = {});

/// `code` with that bit; as it is where it has none, between cores all but SI and SO.
[[nodiscard]] isa::tile::MachineCode with_bit(const isa::tile::MachineCode &code, const DependencyBit &bit);

}  // namespace cox::model::hazard
