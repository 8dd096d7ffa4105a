// SPDX-License-Identifier: MIT
// Which instructions touch bytes in common, without regard to order: a second way to hazards, for when the order varies and the bytes do
// not.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/model/tile/hazard/touch.h"

namespace cox::model::hazard {

/// All pairs of steps of different lanes that touch a byte in common, at least one of the two writing: (lower index, higher index), each
/// once. A task has no hazard exactly where each of these pairs is ordered.
[[nodiscard]] std::vector<std::pair<std::int32_t, std::int32_t>> conflicting_pairs(std::span<const Step> steps);

}  // namespace cox::model::hazard
