// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace cox::test {
namespace {

using model::arithmetic::Memory;

std::vector<std::byte> counting(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

TEST(Memory, LinearAnswersZeroOutside) {
  std::vector<std::byte> bytes = counting(8);
  const Memory memory = Memory::linear(bytes.data() + 2, 100, 4);  // elements 2, 3, 4, 5
  std::array<unsigned char, 8> read{};
  read.fill(0xEE);
  memory.read(98, read.data(), 8);
  EXPECT_EQ(read, (std::array<unsigned char, 8>{0, 0, 2, 3, 4, 5, 0, 0}));
  const std::array<unsigned char, 8> written{10, 11, 12, 13, 14, 15, 16, 17};
  memory.write(98, written.data(), 8);
  const std::array<int, 8> expected{0, 1, 12, 13, 14, 15, 6, 7};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(static_cast<int>(bytes[i]), expected[i]);
  EXPECT_EQ(memory.contiguous(100, 4), bytes.data() + 2);
  EXPECT_EQ(memory.contiguous(100, 5), nullptr);
  EXPECT_EQ(memory.contiguous(99, 2), nullptr);
  EXPECT_EQ(memory.contiguous(104, 1), nullptr);
  EXPECT_EQ(memory.contiguous(-1000, 1), nullptr);
}

TEST(Memory, CircularWrapsBothWays) {
  std::vector<std::byte> l2 = counting(8192);
  const Memory memory = Memory::circular(l2.data(), {2, 3});  // bytes 2,048 to 5,119
  const auto at = [&](std::int64_t address) {
    std::byte value{};
    memory.read(address, &value, 1);
    return value;
  };
  EXPECT_EQ(at(2048), l2[2048]);
  EXPECT_EQ(at(5119), l2[5119]);
  EXPECT_EQ(at(5120), l2[2048]);
  EXPECT_EQ(at(2047), l2[5119]);
  EXPECT_EQ(at(2048 + 10 * 3072 + 5), l2[2053]);
  EXPECT_EQ(at(2048 - 10 * 3072 + 5), l2[2053]);
  EXPECT_EQ(memory.contiguous(5120, 3072), l2.data() + 2048);
  EXPECT_EQ(memory.contiguous(5119, 2), nullptr);

  std::vector<std::byte> all(std::size_t{3} * 3072);  // longer than the region, so the read wraps several times
  memory.read(2048, all.data(), static_cast<std::int64_t>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], l2[2048 + i % 3072]);

  const std::vector<std::byte> marks(4, std::byte{0xFF});
  memory.write(5118, marks.data(), 4);
  EXPECT_EQ(l2[5118], marks[0]);
  EXPECT_EQ(l2[5119], marks[0]);
  EXPECT_EQ(l2[2048], marks[0]);
  EXPECT_EQ(l2[2049], marks[0]);
  EXPECT_EQ(l2[5120], static_cast<std::byte>(5120 % 251));
  EXPECT_EQ(l2[2047], static_cast<std::byte>(2047 % 251));
}

TEST(Memory, NoRegionHasNoBytes) {
  std::vector<std::byte> l2 = counting(2048);
  for (const Memory &memory : {Memory(), Memory::circular(l2.data(), {0, 0}), Memory::linear(l2.data(), 0, -5)}) {
    int value = 7;
    memory.read(0, &value, sizeof value);
    EXPECT_EQ(value, 0);
    value = -1;
    memory.write(0, &value, sizeof value);
    EXPECT_EQ(l2[0], std::byte{0});
    EXPECT_EQ(memory.contiguous(0, 1), nullptr);
  }
}

TEST(Memory, TransferStaysInsideItsRange) {
  struct Dram {
    std::array<std::byte, 64> bytes{};
    std::int64_t lowest = 1000, highest = -1000;
    void touched(std::int64_t address, std::int64_t size) {
      lowest = std::min(lowest, address);
      highest = std::max(highest, address + size);
    }
  } dram;
  Memory::Transfer transfer;
  transfer.opaque = &dram;
  transfer.read = [](void *opaque, std::int64_t address, void *data, std::int64_t size) {
    auto *self = static_cast<Dram *>(opaque);
    self->touched(address, size);
    std::memcpy(data, self->bytes.data() + address, static_cast<std::size_t>(size));
  };
  transfer.write = [](void *opaque, std::int64_t address, const void *data, std::int64_t size) {
    auto *self = static_cast<Dram *>(opaque);
    self->touched(address, size);
    std::memcpy(self->bytes.data() + address, data, static_cast<std::size_t>(size));
  };
  const Memory memory = Memory::transfer(transfer, 16, 32);
  const std::vector<std::byte> ones(64, std::byte{1});
  memory.write(0, ones.data(), 64);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(dram.bytes[i], std::byte{i >= 16 && i < 48 ? std::uint8_t{1} : std::uint8_t{0}});
  std::vector<std::byte> read(64, std::byte{9});
  memory.read(0, read.data(), 64);
  EXPECT_TRUE(std::equal(read.begin(), read.end(), dram.bytes.begin()));
  EXPECT_EQ(dram.lowest, 16);
  EXPECT_EQ(dram.highest, 48);
  EXPECT_EQ(memory.contiguous(16, 4), nullptr);
}

}  // namespace
}  // namespace cox::test
