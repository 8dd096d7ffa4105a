// SPDX-License-Identifier: MIT
#include "tools/lower/ring.h"

#include <algorithm>

#include "isa/tile/layout.h"

namespace cox::lower {

Ring::Place Ring::take(const Key &key, std::int64_t bytes) {
  for (const Entry &entry : entries_) {
    if (entry.key == key) return {entry.begin, true};
  }
  if (cursor_ + bytes > end_) cursor_ = begin_;
  const Entry added{key, cursor_, cursor_ + bytes};
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(),
                                [&added](const Entry &old) { return old.begin < added.end && added.begin < old.end; }),
                 entries_.end());
  entries_.push_back(added);
  cursor_ = std::min(isa::tile::align_up(added.end, alignment_), end_);
  return {added.begin, false};
}

}  // namespace cox::lower
