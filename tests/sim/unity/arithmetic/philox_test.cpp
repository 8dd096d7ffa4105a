// SPDX-License-Identifier: MIT
// Philox4x32-10 against Random123's known-answer vectors, and the words of a seed.
#include <gtest/gtest.h>

#include "sim/model/unity/arithmetic/philox.h"

namespace cox::model::unity {
namespace {

constexpr std::uint32_t kOnes = UINT32_MAX;

TEST(UnityPhilox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (PhiloxBlock{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}), (PhiloxBlock{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT_EQ(philox4x32({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}),
            (PhiloxBlock{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

TEST(UnityPhilox, WordsOfASeed) {
  RandomWords zero(0);
  EXPECT_EQ(zero.word(0), 0x6627E8D5U);
  EXPECT_EQ(zero.word(3), 0x9B00DBD8U);
  EXPECT_EQ(zero.uniform(0), static_cast<float>(0x6627E8) / 16777216.0F);
  // The low half of the seed is word 0 of the key; the low half of the block's number is word 0 of the counter.
  RandomWords words(0x123456789ABCDEF0);
  constexpr PhiloxKey kKey{0x9ABCDEF0, 0x12345678};
  constexpr std::uint64_t kFar = (std::uint64_t{0xABCDEF} << 32 | 0x1234567) * 4 + 2;
  EXPECT_EQ(words.word(5), philox4x32({1, 0, 0, 0}, kKey)[1]);
  EXPECT_EQ(words.word(kFar), philox4x32({0x1234567, 0xABCDEF, 0, 0}, kKey)[2]);
  EXPECT_EQ(words.word(4), philox4x32({1, 0, 0, 0}, kKey)[0]);
  EXPECT_EQ(words.word(0), philox4x32({0, 0, 0, 0}, kKey)[0]);
}

}  // namespace
}  // namespace cox::model::unity
