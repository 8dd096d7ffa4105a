// SPDX-License-Identifier: MIT
// Copies and fills of all small sizes, at all addresses within a block, beside the C library. Bytes around the destination must not change.
#include "coxswain/base/byte_blocks.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace cox {
namespace {

constexpr std::size_t kMost = 70, kPlaces = 17, kRoom = kMost + 2 * kPlaces;
using Memory = std::array<std::byte, kRoom>;

Memory counting() {
  Memory memory{};
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7 + 1);
  return memory;
}

template <typename Visit>
void for_each_place(Visit visit) {
  for (std::size_t count = 0; count <= kMost; ++count) {
    for (std::size_t to = 0; to < kPlaces; ++to) {
      for (std::size_t from = 0; from < kPlaces; ++from) visit(count, to, from);
    }
  }
}

TEST(ByteBlocks, CopiesBetweenTwoObjects) {
  for_each_place([](std::size_t count, std::size_t to, std::size_t from) {
    const Memory source = counting();
    Memory up{}, down{}, expected{};
    std::memcpy(&expected[to], &source[from], count);
    copy_upwards(&up[to], &source[from], count);
    copy_downwards(&down[to], &source[from], count);
    ASSERT_EQ(up, expected) << count << " " << to << " " << from;
    ASSERT_EQ(down, expected) << count << " " << to << " " << from;
  });
}

TEST(ByteBlocks, CopiesThatOverlap) {
  for_each_place([](std::size_t count, std::size_t to, std::size_t from) {
    Memory memory = counting(), expected = memory;
    std::memmove(&expected[to], &expected[from], count);
    if (to <= from) {
      copy_upwards(&memory[to], &memory[from], count);
    } else {
      copy_downwards(&memory[to], &memory[from], count);
    }
    ASSERT_EQ(memory, expected) << count << " " << to << " " << from;
  });
}

TEST(ByteBlocks, Fills) {
  for_each_place([](std::size_t count, std::size_t to, std::size_t value) {
    Memory memory = counting(), expected = memory;
    std::memset(&expected[to], static_cast<int>(value + 0xF8), count);
    fill(&memory[to], static_cast<std::byte>(value + 0xF8), count);
    ASSERT_EQ(memory, expected) << count << " " << to;
  });
}

}  // namespace
}  // namespace cox
