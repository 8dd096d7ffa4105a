// SPDX-License-Identifier: MIT
#include "tools/lower/weights/staging.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/layout.h"

namespace cox::lower {
namespace {

constexpr std::int64_t kInUse = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kUnitAlignment = isa::tile::kWeightUnitBytes;

}  // namespace

Staging::Staging(const Placement &placement, std::int64_t bytes) : placement_(placement), bytes_(bytes) {
  last_use_[0] = 0;
  last_use_[bytes] = kInUse;  // marks the end: no search goes past it
}

std::vector<Ring::Entry> Staging::begin_step() {
  ++uses_;
  std::vector<Ring::Entry> evicted;
  for (const PlacedMap &map : placement_.maps()) {
    if (map.last_step + 1 == step_) mark(map.base, map.base + map.bytes, uses_);
  }
  for (const PlacedMap &map : placement_.maps()) {
    if (map.first_step > step_ || map.last_step < step_) continue;
    mark(map.base, map.base + map.bytes, kInUse);
    if (map.first_step != step_) continue;
    for (Ring::Entry &entry : evict(map.base, map.base + map.bytes)) evicted.push_back(entry);
  }
  ++step_;
  return evicted;
}

Ring::Place Staging::take(const Ring::Key &key, std::int64_t bytes) {
  for (const Ring::Entry &entry : tiles_) {
    if (entry.key == key) return {entry.begin, true, {}};
  }
  const std::int64_t begin = longest_idle(bytes);
  Ring::Place place{begin, false, evict(begin, begin + bytes)};
  mark(begin, begin + bytes, ++uses_);
  tiles_.push_back({key, begin, begin + bytes});
  return place;
}

void Staging::divide(std::int64_t address) {
  const auto next = last_use_.upper_bound(address);
  last_use_.emplace(address, std::prev(next)->second);
}

void Staging::mark(std::int64_t begin, std::int64_t end, std::int64_t last_use) {
  end = std::min(isa::tile::align_up(end, kUnitAlignment), bytes_);
  if (begin >= end) return;
  divide(begin);
  divide(end);
  last_use_.erase(last_use_.upper_bound(begin), last_use_.lower_bound(end));
  last_use_[begin] = last_use;
}

std::vector<Ring::Entry> Staging::evict(std::int64_t begin, std::int64_t end) {
  std::vector<Ring::Entry> evicted;
  const auto kept =
      std::stable_partition(tiles_.begin(), tiles_.end(), [&](const Ring::Entry &tile) { return tile.end <= begin || end <= tile.begin; });
  evicted.assign(kept, tiles_.end());
  tiles_.erase(kept, tiles_.end());
  return evicted;
}

std::int64_t Staging::longest_idle(std::int64_t bytes) const {
  std::int64_t best = -1, best_use = kInUse;
  for (auto at = last_use_.begin(); at->first + bytes <= bytes_; ++at) {
    std::int64_t use = 0;
    for (auto part = at; part->first < at->first + bytes && use < best_use; ++part) use = std::max(use, part->second);
    if (use < best_use) {
      best = at->first;
      best_use = use;
    }
  }
  if (best < 0) throw std::logic_error("weights have no room to wait in");
  return best;
}

}  // namespace cox::lower
