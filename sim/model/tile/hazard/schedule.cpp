// SPDX-License-Identifier: MIT
#include "sim/model/tile/hazard/schedule.h"

#include <array>
#include <map>
#include <utility>

namespace cox::model::hazard {

std::vector<Imbalance> find_imbalances(std::span<const Step> steps) {
  std::map<std::pair<Lane, Lane>, Imbalance> pairs;
  for (const Step &step : steps) {
    const Lane own = lane_of(step);
    for_each_lane(next_lanes(step.code), [&](Lane to) { ++pairs[{own, to}].put; });
    for_each_lane(previous_lanes(step.code), [&](Lane from) { ++pairs[{from, own}].taken; });
  }
  std::vector<Imbalance> found;
  for (auto &[lanes, pair] : pairs) {
    pair.from = lanes.first;
    pair.to = lanes.second;
    if (pair.put != pair.taken) found.push_back(pair);
  }
  return found;
}

bool Schedule::happens_before(std::span<const Step> steps, std::int32_t a, std::int32_t b) const {
  const auto first = static_cast<std::size_t>(a);
  const auto second = static_cast<std::size_t>(b);
  return positions[first] < clocks[second].ended[lane_of(steps[first])];
}

Schedule make_schedule(std::span<const Step> steps) {
  Schedule schedule;
  schedule.imbalances = find_imbalances(steps);
  schedule.positions.resize(steps.size());
  schedule.clocks.resize(steps.size());
  std::array<std::vector<std::size_t>, kLanes> queues;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::vector<std::size_t> &queue = queues[lane_of(steps[i])];
    schedule.positions[i] = static_cast<std::uint32_t>(queue.size());
    queue.push_back(i);
  }
  TokenClocks tokens;
  std::array<std::size_t, kLanes> heads{};
  const auto waits_for = [&](Lane lane) { return tokens.missing(lane, previous_lanes(steps[queues[lane][heads[lane]]].code)); };
  for (bool progress = true; progress;) {
    progress = false;
    for (Lane lane = 0; lane < kLanes; ++lane) {
      for (; heads[lane] < queues[lane].size() && waits_for(lane) == 0; ++heads[lane]) {
        const std::size_t i = queues[lane][heads[lane]];
        schedule.clocks[i] = tokens.start(lane, previous_lanes(steps[i].code));
        tokens.end(lane, next_lanes(steps[i].code));
        schedule.order.push_back(static_cast<std::int32_t>(i));
        progress = true;
      }
    }
  }
  for (Lane lane = 0; lane < kLanes; ++lane) {
    if (heads[lane] < queues[lane].size()) {
      schedule.stuck.push_back({static_cast<std::int32_t>(queues[lane][heads[lane]]), waits_for(lane)});
    }
  }
  return schedule;
}

}  // namespace cox::model::hazard
