// SPDX-License-Identifier: MIT
// A buffer that is filled from its beginning to its end and then anew: what lies in it longest is overwritten first.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace cox::lower {

class Ring {
 public:
  /// What lies there: a layer, and a kernel of it.
  using Key = std::pair<std::size_t, std::uint32_t>;

  Ring(std::int64_t begin, std::int64_t bytes, std::int64_t alignment)
      : begin_(begin), end_(begin + bytes), alignment_(alignment), cursor_(begin) {}

  struct Entry {
    Key key;
    std::int64_t begin = 0, end = 0;
  };
  struct Place {
    std::int64_t address = 0;
    bool present = false;        ///< it lies there already
    std::vector<Entry> evicted;  ///< what it overwrites
  };

  /// `bytes` are at most those of the ring.
  Place take(const Key &key, std::int64_t bytes);

 private:
  std::int64_t begin_, end_, alignment_, cursor_;
  std::deque<Entry> entries_;
};

}  // namespace cox::lower
