// SPDX-License-Identifier: MIT
// Searches a list of candidates for those that meet two conditions. The first condition is met by all candidates up to some position in the
// list, and the second by all candidates from some position on. The number of tests grows with the logarithm of the length of the list.
#pragma once

#include <algorithm>
#include <cstddef>

namespace cox::model::hazard {

/// The range [first, end).
struct Range {
  std::size_t first = 0;
  std::size_t end = 0;

  bool operator==(const Range &) const = default;
};

/// Returns the numbers from 0 to count - 1 for which both `below` and `above` hold. `below(i)` holds up to some i and not after it.
/// `above(i)` holds from some i on. Calls of `above` can be expensive. So the search calls it only for numbers for which `below` holds, and
/// begins with the largest of them, for which `above` is most likely to hold.
template <typename Below, typename Above>
Range passing_range(std::size_t count, Below below, Above above) {
  Range in{0, count};  // below(first - 1) is true unless `first` is 0; below(end) is false unless `end` is `count`
  while (in.first < in.end) {
    const std::size_t middle = in.first + (in.end - in.first) / 2;
    if (below(middle)) {
      in.first = middle + 1;
    } else {
      in.end = middle;
    }
  }
  const std::size_t end = in.end;
  // During the search, above() is known to be true from `holds` to end - 1, and false below `fails`.
  std::size_t holds = end;
  std::size_t fails = 0;
  for (std::size_t step = 1; fails < holds; step *= 2) {
    const std::size_t next = holds - std::min(step, holds - fails);
    if (!above(next)) {
      fails = next + 1;
      break;
    }
    holds = next;
  }
  while (fails < holds) {
    const std::size_t middle = fails + (holds - fails) / 2;
    if (above(middle)) {
      holds = middle;
    } else {
      fails = middle + 1;
    }
  }
  return {holds, end};
}

}  // namespace cox::model::hazard
