// SPDX-License-Identifier: MIT
// Tests chains_of(), which groups hazards that can have one cause.
#include "tools/check/chains.h"

#include <gtest/gtest.h>

namespace cox::tools {
namespace {

using Following = std::vector<std::int32_t>;

TEST(Chains, NoneWithoutPairs) { EXPECT_TRUE(chains_of({}).empty()); }

TEST(Chains, OnePairIsItsOwnRoot) {
  const UnorderedPair pairs[] = {{3, 5, 1, 2}};
  const std::vector<Chain> chains = chains_of(pairs);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].root, 0U);
  EXPECT_TRUE(chains[0].following.empty());
}

TEST(Chains, PairsThatShareAQueueAreOneChain) {
  // The pairs share queues 2 and 4, so they are one chain. The later instructions of the pairs are 12, 9 and 5. Of these, 5 is the earliest
  // in the program, so the root is the pair of 3 and 5.
  const UnorderedPair pairs[] = {{9, 12, 4, 6}, {3, 9, 2, 4}, {3, 5, 1, 2}};
  const std::vector<Chain> chains = chains_of(pairs);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].root, 2U);
  EXPECT_EQ(chains[0].following, (Following{9, 12}));
}

TEST(Chains, PairsOfOtherQueuesAreAnotherChain) {
  const UnorderedPair pairs[] = {{1, 2, 0, 1}, {3, 4, 0, 1}, {5, 6, 9, 10}};
  const std::vector<Chain> chains = chains_of(pairs);
  ASSERT_EQ(chains.size(), 2U);
  EXPECT_EQ(chains[0].root, 0U);
  EXPECT_EQ(chains[0].following, Following{4});
  EXPECT_EQ(chains[1].root, 2U);
  EXPECT_TRUE(chains[1].following.empty());
}

TEST(Chains, OfTheFirstLaterInstructionTheNearestPairIsTheRoot) {
  const UnorderedPair pairs[] = {{2, 7, 0, 1}, {5, 7, 0, 1}, {6, 8, 0, 1}};
  const std::vector<Chain> chains = chains_of(pairs);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].root, 1U);
  EXPECT_EQ(chains[0].following, Following{8});
}

TEST(Chains, ALongChain) {
  std::vector<UnorderedPair> pairs;
  for (std::int32_t i = 0; i < 100'000; ++i) pairs.push_back({i, i + 1, static_cast<unsigned>(i % 2), static_cast<unsigned>(2 + i % 7)});
  const std::vector<Chain> chains = chains_of(pairs);
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].root, 0U);
  EXPECT_EQ(chains[0].following.size(), 99'999U);
  EXPECT_EQ(chains[0].following.front(), 2);
  EXPECT_EQ(chains[0].following.back(), 100'000);
}

}  // namespace
}  // namespace cox::tools
