// SPDX-License-Identifier: MIT
#include "sim/model/hazard/schedule.h"

#include "isa/tile/table.h"

namespace cox::model::hazard {
namespace {

namespace tile = isa::tile;
using tile::Class;
using tile::kClasses;

std::vector<Imbalance> find_imbalances(std::span<const Step> steps) {
  std::array<std::array<Imbalance, kClasses>, kClasses> pairs{};
  for (const Step &step : steps) {
    const auto own = static_cast<std::size_t>(queue_of(step));
    for (std::size_t c = 0; c < kClasses; ++c) {
      pairs[own][c].put += tile::next_of(step.code) >> c & 1U;
      pairs[c][own].taken += tile::previous_of(step.code) >> c & 1U;
    }
  }
  std::vector<Imbalance> found;
  for (std::size_t from = 0; from < kClasses; ++from) {
    for (std::size_t to = 0; to < kClasses; ++to) {
      Imbalance &pair = pairs[from][to];
      pair.from = static_cast<Class>(from);
      pair.to = static_cast<Class>(to);
      if (pair.put != pair.taken) found.push_back(pair);
    }
  }
  return found;
}

}  // namespace

bool Schedule::happens_before(std::span<const Step> steps, std::int32_t a, std::int32_t b) const {
  const auto first = static_cast<std::size_t>(a);
  const auto second = static_cast<std::size_t>(b);
  const auto queue = static_cast<std::size_t>(queue_of(steps[first]));
  return positions[first] < clocks[second].ended[queue];
}

Schedule make_schedule(std::span<const Step> steps) {
  Schedule schedule;
  schedule.imbalances = find_imbalances(steps);
  schedule.positions.resize(steps.size());
  schedule.clocks.resize(steps.size());
  std::array<std::vector<std::size_t>, kClasses> queues;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::vector<std::size_t> &queue = queues[static_cast<std::size_t>(queue_of(steps[i]))];
    schedule.positions[i] = static_cast<std::uint32_t>(queue.size());
    queue.push_back(i);
  }
  TokenClocks tokens;
  std::array<std::size_t, kClasses> heads{};
  const auto waits_for = [&](std::size_t c) {
    return tokens.missing(static_cast<Class>(c), tile::previous_of(steps[queues[c][heads[c]]].code));
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t c = 0; c < kClasses; ++c) {
      for (; heads[c] < queues[c].size() && waits_for(c) == 0; ++heads[c]) {
        const std::size_t i = queues[c][heads[c]];
        schedule.clocks[i] = tokens.start(static_cast<Class>(c), tile::previous_of(steps[i].code));
        tokens.end(static_cast<Class>(c), tile::next_of(steps[i].code));
        schedule.order.push_back(static_cast<std::int32_t>(i));
        progress = true;
      }
    }
  }
  for (std::size_t c = 0; c < kClasses; ++c) {
    if (heads[c] < queues[c].size()) schedule.stuck.push_back({static_cast<std::int32_t>(queues[c][heads[c]]), waits_for(c)});
  }
  return schedule;
}

}  // namespace cox::model::hazard
