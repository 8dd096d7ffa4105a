// SPDX-License-Identifier: MIT
// Where two opposite conditions meet, found with a number of tries that grows as the logarithm of how many there are to choose from.
#pragma once

#include <algorithm>
#include <cstddef>

namespace cox::model::hazard {

/// [first, end).
struct Range {
  std::size_t first = 0;
  std::size_t end = 0;

  bool operator==(const Range &) const = default;
};

/// Those of 0 to count - 1 for which `below` and `above` hold. `below(i)` holds up to some i and for none after it; `above(i)` from some i
/// on, and is asked only where `below` holds. It is asked near the upper end first: there it holds soonest, and each answer may be dear.
template <typename Below, typename Above>
Range passing_range(std::size_t count, Below below, Above above) {
  Range in{0, count};  // below(first - 1) holds, below(end) does not
  while (in.first < in.end) {
    const std::size_t middle = in.first + (in.end - in.first) / 2;
    if (below(middle)) {
      in.first = middle + 1;
    } else {
      in.end = middle;
    }
  }
  const std::size_t end = in.end;
  // above(holds) holds, or holds == end; above(fails - 1) does not, or fails == 0.
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
