// SPDX-License-Identifier: MIT
// Chooses the maps that stay in DRAM (docs/lowering.md, Maps in DRAM).
#include <algorithm>

#include "tools/lower/emit/emission.h"
#include "tools/lower/plan/placement.h"

namespace cox::lower {
namespace {

/// Returns the bytes that move between DRAM and L2 in addition if a map is spilled. Each layer that reads the map loads it, and the layer
/// that writes the map stores it. The first load of the input and the store of the output do not count, since they happen anyway.
std::int64_t traffic_of(const Network &network, std::size_t map) {
  std::int64_t moves = map == 0 ? -1 : map == network.output ? 0 : 1;
  for (const Layer &layer : network.layers) moves += std::count(layer.inputs.begin(), layer.inputs.end(), map);
  return std::max<std::int64_t>(moves, 0) * static_cast<std::int64_t>(dense_bytes(network.maps[map]));
}

/// Chooses which of the maps `living` to spill, so that a map that does not fit gets room. Prefers a large map that needs little traffic
/// for the room that it frees.
std::optional<std::size_t> next_of(const Network &network, const std::vector<PlacedMap> &living) {
  constexpr std::int64_t kOfLargest = 4;
  std::int64_t largest = 0;
  for (const PlacedMap &map : living) largest = std::max(largest, map.bytes);
  std::optional<std::size_t> best;
  double best_worth = 0;
  for (const PlacedMap &map : living) {
    const double worth = static_cast<double>(map.bytes) / static_cast<double>(traffic_of(network, map.map) + 1);
    if (map.bytes * kOfLargest < largest || (best && worth <= best_worth)) continue;
    best = map.map;
    best_worth = worth;
  }
  return best;
}

}  // namespace

std::optional<Plan> spill(const Network &network, Plan plan, std::int64_t capacity) {
  plan.spilled.assign(network.maps.size(), false);
  // Returns the first map that does not fit, and all maps that live at the same time; nullopt if all maps fit.
  const auto in_the_way = [&]() -> std::optional<std::vector<PlacedMap>> {
    Placement placement;
    placement.collect(network, plan);
    const std::size_t failed = placement.place_all(capacity, Placement::Choice::lowest);
    if (failed == Placement::kNone) return std::nullopt;
    const PlacedMap &wanted = placement.placed_[failed];
    std::vector<PlacedMap> living;
    for (const PlacedMap &other : placement.placed_) {
      const bool together = other.first_step <= wanted.last_step && wanted.first_step <= other.last_step;
      if (together && other.map < network.maps.size()) living.push_back(other);
    }
    return living;
  };
  std::vector<std::size_t> spilled;
  while (const auto living = in_the_way()) {
    const std::optional<std::size_t> map = next_of(network, *living);
    if (!map) return std::nullopt;
    plan.spilled[*map] = true;
    spilled.push_back(*map);
  }
  // Later choices may have made earlier ones unnecessary.
  std::stable_sort(spilled.begin(), spilled.end(),
                   [&](std::size_t a, std::size_t b) { return traffic_of(network, a) > traffic_of(network, b); });
  for (const std::size_t map : spilled) {
    plan.spilled[map] = false;
    if (in_the_way()) plan.spilled[map] = true;
  }
  return plan;
}

}  // namespace cox::lower
