// SPDX-License-Identifier: MIT
// Fault plans from a seed: the same on every machine (docs/faults.md, Random plans).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/faults/plan.h"
#include "sim/model/inventory.h"

namespace cox::model::faults {

/// `count` faults of all kinds, in what `inventory` has. None in DRAM or in the memory of queues: the device does not know
/// where memory is.
[[nodiscard]] std::vector<Planned> random_plan(std::uint64_t seed, std::uint32_t count, const Inventory &inventory);

}  // namespace cox::model::faults
