// SPDX-License-Identifier: MIT
// Finds reads of L2 bytes that the task has not written. Such bytes are zeros or data of an earlier task of the same owner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/tile/hazard/touch.h"

namespace cox::model::hazard {

/// Bytes of an L2 that `instruction` reads although no earlier instruction has written them. Each byte is reported only for its first
/// reader.
struct UnwrittenRead {
  std::int32_t instruction = -1;
  std::uint8_t core = 0;   ///< the core of the L2
  std::int64_t first = 0;  ///< lowest unwritten byte that the instruction reads
  std::int64_t last = 0;   ///< highest unwritten byte
  std::int64_t bytes = 0;  ///< number of unwritten bytes
};

/// Finds the reads of L2 bytes that the task has not written before, for one order in which the task can run. If the task has no hazards,
/// all orders give the same result. The result has one entry for each reading instruction and each L2 that it reads, in program order.
/// Reads of WL0 are not checked here.
[[nodiscard]] std::vector<UnwrittenRead> find_unwritten_reads(std::span<const Step> steps);

}  // namespace cox::model::hazard
