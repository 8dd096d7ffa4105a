// SPDX-License-Identifier: MIT
#include "sim/model/tile/hazard/passing_range.h"

#include <gtest/gtest.h>

#include <bit>

namespace cox::model::hazard {
namespace {

struct Tries {
  std::size_t below = 0;
  std::size_t above = 0;
};

/// Searches with two predicates: `below` holds for indices under `end`, `above` for those from `first` on. Counts how often each is asked.
Range search(std::size_t count, std::size_t first, std::size_t end, Tries &tries) {
  return passing_range(
      count,
      [&](std::size_t i) {
        ++tries.below;
        return i < end;
      },
      [&](std::size_t i) {
        EXPECT_LT(i, end);  // called only for indices for which the first function returned true
        ++tries.above;
        return i >= first;
      });
}

TEST(PassingRange, EveryRangeOfUpToTwenty) {
  for (std::size_t count = 0; count <= 20; ++count) {
    for (std::size_t end = 0; end <= count; ++end) {
      for (std::size_t first = 0; first <= count; ++first) {
        Tries tries;
        EXPECT_EQ(search(count, first, end, tries), (Range{std::min(first, end), end})) << count << ", " << first << " to " << end;
      }
    }
  }
}

TEST(PassingRange, TriesGrowAsTheLogarithm) {
  constexpr std::size_t kCount = std::size_t{1} << 20;
  for (const std::size_t end : {std::size_t{1}, kCount / 3, kCount}) {
    for (std::size_t length = 0; length < end; length = 2 * length + 1) {
      Tries tries;
      EXPECT_EQ(search(kCount, end - length, end, tries), (Range{end - length, end}));
      EXPECT_LE(tries.below, 21U);
      // The search doubles its step, beginning with 1, until it leaves the range. Then it halves the last step until it is 1. Each of these
      // two phases asks at most `digits` times.
      const auto digits = static_cast<std::size_t>(std::bit_width(length + 1));
      EXPECT_LE(tries.above, 2 * digits) << length;
    }
  }
}

}  // namespace
}  // namespace cox::model::hazard
