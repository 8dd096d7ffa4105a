// SPDX-License-Identifier: MIT
// Reads of L2 that nobody in the task has written: whatever was there before, zeros or what an earlier task of the same owner left.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/tile/hazard/touch.h"

namespace cox::model::hazard {

/// Bytes of which this instruction is the first reader, and that no instruction before it writes.
struct UnwrittenRead {
  std::int32_t instruction = -1;
  std::uint8_t core = 0;   ///< whose L2
  std::int64_t first = 0;  ///< lowest of them
  std::int64_t last = 0;   ///< highest
  std::int64_t bytes = 0;  ///< how many between
};

/// In an order in which the task can run; of a task without hazards it is the same in all of them. Once for each instruction and core, in
/// program order. WL0 is not looked at: its readers are convolutions, and StaleWeights says what they find.
[[nodiscard]] std::vector<UnwrittenRead> find_unwritten_reads(std::span<const Step> steps);

}  // namespace cox::model::hazard
