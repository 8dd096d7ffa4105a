// SPDX-License-Identifier: MIT
#include "sim/model/hazard/shadow.h"

#include <iterator>
#include <limits>

namespace cox::model::hazard {

using isa::tile::kClasses;

Shadow::Shadow() { cells_.emplace(std::numeric_limits<std::int64_t>::min(), Cell{}); }

Shadow::Cells::iterator Shadow::divide(std::int64_t address) {
  const auto next = cells_.upper_bound(address);
  const auto around = std::prev(next);
  if (around->first == address) return around;
  return cells_.emplace_hint(next, address, around->second);
}

/// Whoever is not ordered after this write is not ordered after what this write is ordered after, and will meet this write.
void Shadow::forget_ordered(Cell &cell, const Clock &clock) {
  for (std::size_t c = 0; c < kClasses; ++c) {
    if (cell.wrote[c].instruction >= 0 && cell.wrote[c].position < clock.ended[c]) cell.wrote[c] = Entry{};
    if (cell.read[c].instruction >= 0 && cell.read[c].position < clock.ended[c]) cell.read[c] = Entry{};
  }
}

void Shadow::touch(const Toucher &toucher, const Clock &clock, bool write, std::int64_t first, std::int64_t bytes,
                   const OnConflict &conflict) {
  if (bytes <= 0) return;
  const auto own = static_cast<std::size_t>(toucher.queue);
  const auto begin = divide(first);
  const auto end = divide(first + bytes);
  const auto report = [&](const Entry &entry, std::size_t c, bool wrote, Cells::const_iterator at) {
    if (entry.instruction < 0 || c == own || entry.position < clock.ended[c]) return;
    conflict({{entry.instruction, static_cast<isa::tile::Class>(c), entry.position}, wrote, at->first, std::next(at)->first - at->first});
  };
  for (auto at = begin; at != end; ++at) {
    Cell &cell = at->second;
    for (std::size_t c = 0; c < kClasses; ++c) {
      report(cell.wrote[c], c, true, at);
      if (write) report(cell.read[c], c, false, at);
    }
    if (write) {
      forget_ordered(cell, clock);
      cell.wrote[own] = {toucher.instruction, toucher.position};
      cell.read[own] = Entry{};
    } else {
      cell.read[own] = {toucher.instruction, toucher.position};
    }
  }
  // What is alike again becomes one cell, so that the map stays as small as the pattern of accesses.
  for (auto at = begin;;) {
    const auto before = at == cells_.begin() ? cells_.end() : std::prev(at);
    const bool last = at == end;
    const auto next = last ? at : std::next(at);
    if (before != cells_.end() && before->second == at->second) cells_.erase(at);
    if (last) break;
    at = next;
  }
}

}  // namespace cox::model::hazard
