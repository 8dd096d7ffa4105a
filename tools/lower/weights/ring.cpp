// SPDX-License-Identifier: MIT
#include "tools/lower/weights/ring.h"

#include <algorithm>

#include "coxswain/isa/tile/layout.h"

namespace cox::lower {

Ring::Place Ring::take(const Key &key, std::int64_t bytes) {
  for (const Entry &entry : entries_) {
    if (entry.key == key) return {entry.begin, true, {}};
  }
  if (cursor_ + bytes > end_) cursor_ = begin_;
  Place place{cursor_, false, {}};
  const Entry added{key, cursor_, cursor_ + bytes};
  std::deque<Entry> kept;
  for (const Entry &old : entries_) {
    const bool overwritten = old.begin < added.end && added.begin < old.end;
    if (overwritten) {
      place.evicted.push_back(old);
    } else {
      kept.push_back(old);
    }
  }
  entries_ = std::move(kept);
  entries_.push_back(added);
  cursor_ = std::min(isa::tile::align_up(added.end, alignment_), end_);
  return place;
}

}  // namespace cox::lower
