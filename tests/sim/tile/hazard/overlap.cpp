// SPDX-License-Identifier: MIT
#include "tests/sim/tile/hazard/overlap.h"

#include <algorithm>

namespace cox::model::hazard {
namespace {

struct Interval {
  std::int64_t first;
  std::int64_t end;
};

/// The bytes that one Touch of a step covers. The intervals are sorted; between any two of them there is a gap.
struct Bytes {
  std::int32_t step = -1;
  Lane lane = 0;
  Place place = Place::l2;
  std::uint8_t core = 0;
  std::uint8_t window = 0;
  bool write = false;
  std::vector<Interval> intervals;
};

std::vector<Interval> intervals_of(const Touch &touch) {
  std::vector<Interval> all;
  for_each_run(touch, [&all](std::int64_t first, std::int64_t bytes) { all.push_back({first, first + bytes}); });
  std::sort(all.begin(), all.end(), [](const Interval &a, const Interval &b) { return a.first < b.first; });
  std::vector<Interval> merged;
  for (const Interval &interval : all) {
    if (!merged.empty() && interval.first <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, interval.end);
    } else {
      merged.push_back(interval);
    }
  }
  return merged;
}

bool overlap(const std::vector<Interval> &a, const std::vector<Interval> &b) {
  if (a.empty() || b.empty() || a.back().end <= b.front().first || b.back().end <= a.front().first) return false;
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() && y != b.end()) {
    if (x->first < y->end && y->first < x->end) return true;
    if (x->end <= y->first) {
      ++x;
    } else {
      ++y;
    }
  }
  return false;
}

bool conflict(const Bytes &a, const Bytes &b) {
  return a.lane != b.lane && (a.write || b.write) && a.place == b.place && a.core == b.core && a.window == b.window &&
         overlap(a.intervals, b.intervals);
}

}  // namespace

std::vector<std::pair<std::int32_t, std::int32_t>> conflicting_pairs(std::span<const Step> steps) {
  std::vector<Bytes> all;
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    const Lane lane = lane_of(steps[i]);
    const std::size_t before = all.size();
    for (const Touch &touch : steps[i].touches)
      all.push_back({index, lane, touch.place, touch.core, touch.window, touch.write, intervals_of(touch)});
    for (std::size_t earlier = 0; earlier < before; ++earlier) {
      const std::pair<std::int32_t, std::int32_t> pair{all[earlier].step, index};
      for (std::size_t own = before; own < all.size(); ++own) {
        if (conflict(all[earlier], all[own])) pairs.push_back(pair);
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace cox::model::hazard
