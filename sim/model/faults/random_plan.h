// SPDX-License-Identifier: MIT
// Fault plans from a seed. A seed gives the same plan on every machine (docs/faults.md, Random plans).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/faults/plan.h"
#include "sim/model/inventory.h"

namespace cox::model::faults {

/// Returns `count` faults of all kinds, in units that `inventory` has. No fault is in DRAM or in queue memory, because the device does not
/// know the addresses of these.
[[nodiscard]] std::vector<Planned> random_plan(std::uint64_t seed, std::uint32_t count, const Inventory &inventory);

}  // namespace cox::model::faults
