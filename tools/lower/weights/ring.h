// SPDX-License-Identifier: MIT
// A ring buffer: it fills from its beginning to its end, then starts again and overwrites the oldest content first.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace cox::lower {

class Ring {
 public:
  /// Names an entry: the number of a layer, and the number of a tile of this layer.
  using Key = std::pair<std::size_t, std::uint32_t>;

  Ring(std::int64_t begin, std::int64_t bytes, std::int64_t alignment)
      : begin_(begin), end_(begin + bytes), alignment_(alignment), cursor_(begin) {}

  struct Entry {
    Key key;
    std::int64_t begin = 0, end = 0;
  };
  struct Place {
    std::int64_t address = 0;
    bool present = false;        ///< the ring already has the entry
    std::vector<Entry> evicted;  ///< entries that the new entry overwrites
  };

  /// `bytes` must not exceed the ring's size.
  Place take(const Key &key, std::int64_t bytes);

 private:
  std::int64_t begin_, end_, alignment_, cursor_;
  std::deque<Entry> entries_;
};

}  // namespace cox::lower
