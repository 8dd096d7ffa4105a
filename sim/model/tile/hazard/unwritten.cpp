// SPDX-License-Identifier: MIT
#include "sim/model/tile/hazard/unwritten.h"

#include <algorithm>
#include <array>
#include <map>

#include "sim/model/tile/hazard/schedule.h"

namespace cox::model::hazard {
namespace {

/// A set of bytes of one memory, stored as ranges that neither overlap nor adjoin.
class ByteSet {
 public:
  /// Adds [first, end). Calls `on_new(first, end)` for each part that was not in the set.
  template <typename OnNew>
  void add(std::int64_t first, std::int64_t end, const OnNew &on_new) {
    auto next = ranges_.upper_bound(first);
    auto own = next;
    if (next != ranges_.begin() && std::prev(next)->second >= first) {
      own = std::prev(next);
    } else {
      own = ranges_.emplace_hint(next, first, first);
    }
    std::int64_t at = std::max(first, own->second);
    while (at < end) {
      const std::int64_t until = next == ranges_.end() ? end : std::min(end, next->first);
      if (until > at) on_new(at, until);
      at = until;
      if (next != ranges_.end() && next->first <= end) {
        at = std::max(at, next->second);
        next = ranges_.erase(next);
      }
    }
    own->second = std::max(own->second, at);
    if (next != ranges_.end() && next->first == own->second) {
      own->second = next->second;
      ranges_.erase(next);
    }
  }

 private:
  std::map<std::int64_t, std::int64_t> ranges_;  ///< maps the first byte of a range to one past its last byte
};

}  // namespace

std::vector<UnwrittenRead> find_unwritten_reads(std::span<const Step> steps) {
  std::array<ByteSet, isa::tile::kMostCores> known;
  std::vector<UnwrittenRead> reads;
  for (const std::int32_t index : make_schedule(steps).order) {
    const Step &step = steps[static_cast<std::size_t>(index)];
    std::array<UnwrittenRead, isa::tile::kMostCores> found{};
    for (const bool write : {false, true}) {
      for (const Touch &touch : step.touches) {
        if (touch.place != Place::l2 || touch.write != write) continue;
        UnwrittenRead &own = found[touch.core];
        for_each_run(touch, [&](std::int64_t first, std::int64_t bytes) {
          known[touch.core].add(first, first + bytes, [&](std::int64_t from, std::int64_t end) {
            if (write) return;
            own.first = own.bytes == 0 ? from : std::min(own.first, from);
            own.last = std::max(own.last, end - 1);
            own.bytes += end - from;
          });
        });
      }
    }
    for (unsigned core = 0; core < found.size(); ++core) {
      if (found[core].bytes == 0) continue;
      found[core].instruction = index;
      found[core].core = static_cast<std::uint8_t>(core);
      reads.push_back(found[core]);
    }
  }
  std::sort(reads.begin(), reads.end(), [](const UnwrittenRead &a, const UnwrittenRead &b) {
    return a.instruction != b.instruction ? a.instruction < b.instruction : a.core < b.core;
  });
  return reads;
}

}  // namespace cox::model::hazard
