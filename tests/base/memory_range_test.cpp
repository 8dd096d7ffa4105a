// SPDX-License-Identifier: MIT
#include "coxswain/base/memory_range.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace cox {
namespace {

constexpr std::uint64_t kTop = ~std::uint64_t{0};

TEST(MemoryRange, OverlapsWhatSharesAByte) {
  constexpr MemoryRange range{100, 10};
  EXPECT_TRUE(range.overlaps({100, 1}));
  EXPECT_TRUE(range.overlaps({109, 1}));
  EXPECT_TRUE(range.overlaps({99, 2}));
  EXPECT_TRUE(range.overlaps({90, 100}));
  EXPECT_FALSE(range.overlaps({99, 1}));
  EXPECT_FALSE(range.overlaps({110, 1}));
}

TEST(MemoryRange, WithoutBytesOverlapsNothing) {
  constexpr MemoryRange range{100, 10};
  EXPECT_FALSE(range.overlaps({105, 0}));
  EXPECT_FALSE((MemoryRange{105, 0}.overlaps(range)));
}

TEST(MemoryRange, ContainsRangesUpToItsEnds) {
  constexpr MemoryRange range{100, 10};
  EXPECT_TRUE(range.contains({100, 10}));
  EXPECT_TRUE(range.contains({109, 1}));
  EXPECT_TRUE(range.contains({110, 0}));
  EXPECT_FALSE(range.contains({99, 2}));
  EXPECT_FALSE(range.contains({100, 11}));
  EXPECT_FALSE(range.contains({110, 1}));
  EXPECT_FALSE(range.contains({111, 0}));
}

TEST(MemoryRange, ContainsNothingThatPassesTheTopOfTheAddressSpace) {
  constexpr MemoryRange range{100, 10};
  EXPECT_FALSE(range.contains({105, kTop}));
  EXPECT_FALSE(range.contains({kTop, 105}));
  constexpr MemoryRange top{kTop - 9, 10};
  EXPECT_TRUE(top.contains({kTop, 1}));
  EXPECT_FALSE(top.contains({kTop, 2}));
}

}  // namespace
}  // namespace cox
