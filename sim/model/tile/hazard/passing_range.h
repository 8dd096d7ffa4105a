// SPDX-License-Identifier: MIT
// Finds the candidates for which two conditions hold, if one condition holds up to some candidate, and the other from some candidate on.
// The number of tests grows with the logarithm of the number of candidates.
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

/// The numbers from 0 to count - 1 for which both `below` and `above` hold. `below(i)` holds up to some i and not after it. `above(i)`
/// holds from some i on. A call of `above` may be expensive, so it is called only for numbers for which `below` holds, and first near their
/// upper end, where it is most likely to hold.
template <typename Below, typename Above>
Range passing_range(std::size_t count, Below below, Above above) {
  Range in{0, count};  // below(first - 1) holds, below(end) does not hold
  while (in.first < in.end) {
    const std::size_t middle = in.first + (in.end - in.first) / 2;
    if (below(middle)) {
      in.first = middle + 1;
    } else {
      in.end = middle;
    }
  }
  const std::size_t end = in.end;
  // above(holds) holds, or holds == end. above(fails - 1) does not hold, or fails == 0.
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
