// SPDX-License-Identifier: MIT
// Which maps stay in DRAM (docs/lowering.md, Maps in DRAM).
#include <algorithm>

#include "tools/lower/emission.h"
#include "tools/lower/placement.h"

namespace cox::lower {
namespace {

/// Bytes that go between DRAM and L2 once more if a map is spilled: each layer that reads it loads it, and the one that makes it stores it.
/// The input is loaded once whatever happens, and the output is stored.
std::int64_t traffic_of(const Network &network, std::size_t map) {
  std::int64_t moves = map == 0 ? -1 : map == network.output ? 0 : 1;
  for (const Layer &layer : network.layers) moves += std::count(layer.inputs.begin(), layer.inputs.end(), map);
  return std::max<std::int64_t>(moves, 0) * static_cast<std::int64_t>(dense_bytes(network.maps[map]));
}

}  // namespace

std::optional<Plan> spill(const Network &network, Plan plan, std::int64_t capacity) {
  plan.spilled.assign(network.maps.size(), false);
  // Each time one of those that live where something does not fit: large ones, of which little is moved for the room that they leave.
  constexpr std::int64_t kOfLargest = 4;
  for (;;) {
    Placement placement;
    placement.collect(network, plan);
    const std::size_t failed = placement.place_all(capacity, Placement::Choice::lowest);
    if (failed == Placement::kNone) return plan;
    const PlacedMap &wanted = placement.placed_[failed];
    std::vector<const PlacedMap *> living;
    std::int64_t largest = 0;
    for (const PlacedMap &other : placement.placed_) {
      const bool together = other.first_step <= wanted.last_step && wanted.first_step <= other.last_step;
      if (!together || other.map >= network.maps.size()) continue;
      living.push_back(&other);
      largest = std::max(largest, other.bytes);
    }
    const PlacedMap *best = nullptr;
    double best_worth = 0;
    for (const PlacedMap *map : living) {
      if (map->bytes * kOfLargest < largest) continue;
      const double worth = static_cast<double>(map->bytes) / static_cast<double>(traffic_of(network, map->map) + 1);
      if (best != nullptr && worth <= best_worth) continue;
      best = map;
      best_worth = worth;
    }
    if (best == nullptr) return std::nullopt;
    plan.spilled[best->map] = true;
  }
}

}  // namespace cox::lower
