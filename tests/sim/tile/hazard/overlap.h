// SPDX-License-Identifier: MIT
// Finds instructions that touch the same bytes, regardless of order. This is a second way to find hazards, for tests that change the order
// of instructions but not the bytes that they touch.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/model/tile/hazard/touch.h"

namespace cox::model::hazard {

/// Returns pairs of steps, each as (lower index, higher index): all pairs in different lanes that share a byte which at least one of the
/// two writes. A task is free of hazards exactly if each of these pairs is ordered.
[[nodiscard]] std::vector<std::pair<std::int32_t, std::int32_t>> conflicting_pairs(std::span<const Step> steps);

}  // namespace cox::model::hazard
