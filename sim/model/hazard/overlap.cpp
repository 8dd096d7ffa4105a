// SPDX-License-Identifier: MIT
#include "sim/model/hazard/overlap.h"

#include <algorithm>

#include "isa/tile/table.h"

namespace cox::model::hazard {
namespace {

struct Interval {
  std::int64_t first;
  std::int64_t end;
};

/// A touch as sorted intervals that neither overlap nor adjoin.
struct Bytes {
  std::int32_t step = -1;
  isa::tile::Class queue = isa::tile::Class::CT;
  Place place = Place::l2;
  std::uint8_t window = 0;
  bool write = false;
  std::vector<Interval> intervals;
};

void add_run(const Touch &touch, std::int64_t first, std::vector<Interval> &intervals) {
  if (touch.wrap_bytes > 0 && first >= touch.wrap_end) first -= touch.wrap_bytes;
  const std::int64_t end = first + touch.run;
  if (touch.wrap_bytes > 0 && end > touch.wrap_end) {
    intervals.push_back({first, touch.wrap_end});
    intervals.push_back({touch.wrap_end - touch.wrap_bytes, end - touch.wrap_bytes});
  } else {
    intervals.push_back({first, end});
  }
}

std::vector<Interval> intervals_of(const Touch &touch) {
  std::vector<Interval> all;
  for (std::int64_t i = 0; i < touch.count[2]; ++i) {
    for (std::int64_t j = 0; j < touch.count[1]; ++j) {
      for (std::int64_t k = 0; k < touch.count[0]; ++k) {
        add_run(touch, touch.first + i * touch.stride[2] + j * touch.stride[1] + k * touch.stride[0], all);
      }
    }
  }
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
  return a.queue != b.queue && (a.write || b.write) && a.place == b.place && a.window == b.window && overlap(a.intervals, b.intervals);
}

}  // namespace

std::vector<std::pair<std::int32_t, std::int32_t>> conflicting_pairs(std::span<const Step> steps) {
  std::vector<Bytes> all;
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    const isa::tile::Class queue = isa::tile::find_instruction(isa::tile::opcode_of(steps[i].code))->queue;
    const std::size_t before = all.size();
    for (const Touch &touch : steps[i].touches) all.push_back({index, queue, touch.place, touch.window, touch.write, intervals_of(touch)});
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
