// SPDX-License-Identifier: MIT
// Canonical signed digits of all 256 weights against a search through all columns.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <vector>

#include "coxswain/isa/numbers/csd.h"

namespace cox::isa::numbers {
namespace csd_test {

/// All that a column can hold: 16 different pairs.
std::vector<SignedPair> all_pairs() {
  std::vector<SignedPair> pairs;
  for (unsigned bits = 0; bits < 16; ++bits) {
    pairs.push_back({(bits & 8) != 0, (bits & 4) != 0, static_cast<std::uint8_t>(bits & 3)});
  }
  return pairs;
}

/// The sums that this many columns can hold.
std::set<int> sums(unsigned columns) {
  std::set<int> found;
  for (const SignedPair &first : all_pairs()) {
    if (columns == 1) found.insert(first.value());
    for (const SignedPair &second : all_pairs()) {
      if (columns == 2) found.insert(first.value() + second.value());
    }
  }
  return found;
}

int nearest_of(const std::set<int> &candidates, int weight) {
  int best = *candidates.begin();
  for (const int candidate : candidates) {
    const int distance = std::abs(candidate - weight), least = std::abs(best - weight);
    // Weight 0 and one column: +1 and -1 are alike, and the columns' bits of +1 are all zero.
    const bool preferred = std::abs(candidate) < std::abs(best) || (candidate == -best && candidate > 0);
    if (distance < least || (distance == least && preferred)) best = candidate;
  }
  return best;
}

TEST(Csd, ValuesOfPairs) {
  EXPECT_EQ((SignedPair{false, false, 0}).value(), 1);
  EXPECT_EQ((SignedPair{false, true, 0}).value(), 2);
  EXPECT_EQ((SignedPair{true, false, 0}).value(), -1);
  EXPECT_EQ((SignedPair{false, false, 3}).value(), 64);
  EXPECT_EQ((SignedPair{true, true, 3}).value(), -128);
  EXPECT_EQ((SignedPair{true, false, 2}).value(), -16);
}

TEST(Csd, MetaBits) {
  // Sign, high bit of the place, low bit of the place, the first in bit 0.
  EXPECT_EQ((SignedPair{false, true, 0}).meta(), 0b000U);
  EXPECT_EQ((SignedPair{true, true, 0}).meta(), 0b001U);
  EXPECT_EQ((SignedPair{false, true, 1}).meta(), 0b100U);
  EXPECT_EQ((SignedPair{false, true, 2}).meta(), 0b010U);
  EXPECT_EQ((SignedPair{true, false, 3}).meta(), 0b111U);
}

TEST(Csd, CanonicalPairsOfEveryWeight) {
  for (int weight = -170; weight <= 170; ++weight) {
    const SignedPairs pairs = canonical_pairs(weight);
    EXPECT_EQ(pairs.value(), weight);
    // The digits of the pairs: a cell of 1 is the upper digit.
    std::array<int, 8> digits{};
    for (unsigned i = 0; i < pairs.count; ++i) {
      const SignedPair &pair = pairs.pairs[i];
      if (i > 0) {
        EXPECT_LT(pair.place, pairs.pairs[i - 1].place) << weight;
      }
      digits[2U * pair.place + (pair.cell ? 1 : 0)] = pair.negative ? -1 : 1;
    }
    for (unsigned i = 0; i + 1 < digits.size(); ++i) EXPECT_TRUE(digits[i] == 0 || digits[i + 1] == 0) << weight;
  }
}

TEST(Csd, CanonicalPairsByHand) {
  // 7 = 8 - 1 is 1 0 0 -: pairs 10 at p = 1 and 0- at p = 0.
  const SignedPairs seven = canonical_pairs(7);
  ASSERT_EQ(seven.count, 2U);
  EXPECT_EQ(seven.pairs[0], (SignedPair{false, true, 1}));
  EXPECT_EQ(seven.pairs[1], (SignedPair{true, false, 0}));
  // 127 = 128 - 1.
  const SignedPairs most = canonical_pairs(127);
  ASSERT_EQ(most.count, 2U);
  EXPECT_EQ(most.pairs[0], (SignedPair{false, true, 3}));
  EXPECT_EQ(most.pairs[1], (SignedPair{true, false, 0}));
  // -85 = -64 - 16 - 4 - 1 has the digits 0- 0- 0- 0-.
  const SignedPairs four = canonical_pairs(-85);
  ASSERT_EQ(four.count, 4U);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(four.pairs[i], (SignedPair{true, false, static_cast<std::uint8_t>(3 - i)}));
  EXPECT_EQ(canonical_pairs(0).count, 0U);
}

TEST(Csd, NearestOfEveryWeight) {
  for (unsigned columns = 1; columns <= 2; ++columns) {
    const std::set<int> candidates = sums(columns);
    for (int weight = -128; weight <= 127; ++weight) {
      EXPECT_EQ(nearest_weight(weight, columns), nearest_of(candidates, weight)) << weight << " in " << columns;
    }
  }
}

TEST(Csd, NearestByHand) {
  EXPECT_EQ(nearest_weight(0, 1), 1);
  EXPECT_EQ(nearest_weight(0, 2), 0);
  EXPECT_EQ(nearest_weight(3, 1), 2);  // as near to 4: the smaller magnitude
  EXPECT_EQ(nearest_weight(-3, 1), -2);
  EXPECT_EQ(nearest_weight(96, 1), 64);  // as near to 128
  EXPECT_EQ(nearest_weight(97, 1), 128);
  EXPECT_EQ(nearest_weight(-128, 1), -128);
  EXPECT_EQ(nearest_weight(11, 2), 10);  // 11 = 8 + 4 - 1; 10 = 8 + 2 and 12 = 8 + 4 are as near
  EXPECT_EQ(nearest_weight(-125, 2), -124);
  EXPECT_EQ(nearest_weight(-85, 2), -80);  // -64 - 16
}

TEST(Csd, ColumnsHoldTheNearestOfEveryWeight) {
  for (int weight = -128; weight <= 127; ++weight) {
    EXPECT_EQ(one_column(weight).value(), nearest_weight(weight, 1)) << weight;
    const auto [first, second] = two_columns(weight);
    EXPECT_EQ(first.value() + second.value(), nearest_weight(weight, 2)) << weight;
    const SignedPairs pairs = canonical_pairs(nearest_weight(weight, 2));
    if (pairs.count == 2) {
      EXPECT_EQ(first, pairs.pairs[0]) << weight;
      EXPECT_EQ(second, pairs.pairs[1]) << weight;
    } else {
      EXPECT_EQ(first.place, second.place) << weight;
    }
    if (pairs.count == 1) {
      EXPECT_EQ(first.place, pairs.pairs[0].place) << weight;
    }
  }
}

TEST(Csd, TwoColumnsOfFewerPairs) {
  using Two = std::array<SignedPair, 2>;
  // 0 = 1 - 1.
  EXPECT_EQ(two_columns(0), (Two{SignedPair{false, false, 0}, SignedPair{true, false, 0}}));
  // 4 = (2 - 1) * 4, -4 = (-2 + 1) * 4.
  EXPECT_EQ(two_columns(4), (Two{SignedPair{false, true, 1}, SignedPair{true, false, 1}}));
  EXPECT_EQ(two_columns(-4), (Two{SignedPair{true, true, 1}, SignedPair{false, false, 1}}));
  // -32 = (-1 - 1) * 16.
  EXPECT_EQ(two_columns(-32), (Two{SignedPair{true, false, 2}, SignedPair{true, false, 2}}));
  EXPECT_EQ(two_columns(-128), (Two{SignedPair{true, false, 3}, SignedPair{true, false, 3}}));
}

TEST(Csd, ExampleOfTheMetaData) {
  // 7 in columns 0 and 1: the bits 0 0 1 1 0 0 are the byte 0x0c.
  const auto [first, second] = two_columns(7);
  EXPECT_TRUE(first.cell);
  EXPECT_FALSE(second.cell);
  EXPECT_EQ(first.meta() | second.meta() << 3, 0x0CU);
}

TEST(Csd, ZeroBitsMeanPlusOne) { EXPECT_EQ(SignedPair{}.value(), 1); }

}  // namespace csd_test
}  // namespace cox::isa::numbers
