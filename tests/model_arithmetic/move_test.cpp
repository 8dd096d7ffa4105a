// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "core_memory.h"

namespace cox::test {
namespace {

using model::arithmetic::execute;
using model::arithmetic::Path;

class MoveTest : public testing::TestWithParam<Path> {
 protected:
  Core core;
};

TEST_P(MoveTest, DenseDramToPaddedL2) {
  // 2 images of 2x2 pixels of 3 FP16 channels: 6 bytes a pixel in DRAM, 8 in L2, of which 2 stay as they are
  std::vector<std::byte> dram(48);
  for (std::size_t i = 0; i < dram.size(); ++i) dram[i] = static_cast<std::byte>(i + 1);
  isa::tile::Move move;
  move.from = padded_map(DataFmt::FP16, 3, 2, 2, 1000);
  move.from.space = isa::tile::Space::dram;
  move.from.pixel_bytes = 6;
  move.from.row_bytes = 12;
  move.from.image_bytes = 24;
  move.to = padded_map(DataFmt::FP16, 3, 2, 2, 512);
  move.batch = move.height = move.width = 2;
  move.channels = 3;
  std::fill(core.l2.begin(), core.l2.end(), std::byte{0x55});
  Memories memories = core.memories();
  memories.source = Memory::linear(dram.data(), 1000, 48);
  execute(move, memories, GetParam());
  for (std::int64_t pixel = 0; pixel < 8; ++pixel) {
    for (int byte = 0; byte < 8; ++byte) EXPECT_EQ(core.get<std::int8_t>(512 + pixel * 8 + byte), byte < 6 ? pixel * 6 + byte + 1 : 0x55);
  }
  EXPECT_EQ(core.get<std::int8_t>(511), 0x55);
  EXPECT_EQ(core.get<std::int8_t>(512 + 64), 0x55);

  // and back, into 16-byte pixels of another map
  move.from = move.to;
  move.to = padded_map(DataFmt::FP16, 8, 2, 2, 0);
  std::vector<std::byte> back(128, std::byte{0x66});
  memories = core.memories();
  memories.destination = Memory::linear(back.data(), 0, 128);
  execute(move, memories, GetParam());
  for (std::int64_t pixel = 0; pixel < 8; ++pixel) {
    for (int byte = 0; byte < 16; ++byte) {
      EXPECT_EQ(static_cast<int>(back[static_cast<std::size_t>(pixel * 16 + byte)]), byte < 6 ? pixel * 6 + byte + 1 : 0x66);
    }
  }
}

TEST_P(MoveTest, OverlapReadsBeforeItWrites) {
  for (std::int64_t i = 0; i < 40; ++i) core.put<std::int8_t>(i * 8, static_cast<std::int8_t>(i));
  isa::tile::Move move;
  move.from = padded_map(DataFmt::INT8, 8, 1, 30, 0);
  move.to = padded_map(DataFmt::INT8, 8, 1, 30, 16);
  move.batch = move.height = 1;
  move.width = 30;
  move.channels = 8;
  execute(move, core.memories(), GetParam());
  for (int i = 0; i < 30; ++i) EXPECT_EQ(core.get<std::int8_t>(16 + i * 8), i);
}

TEST_P(MoveTest, WeightsWrapInTheirRegionAndFillWl0) {
  core.region = {1, 1};  // 1,024 to 2,047
  for (int i = 0; i < 1024; ++i) core.put<std::uint8_t>(1024 + i, static_cast<std::uint8_t>(i * 7));
  isa::tile::WeightMove move;
  move.from_space = isa::tile::Space::l2;
  move.from = 2000;
  move.to = 64;
  move.bytes = 80;  // 48 to the region's end, 32 from its beginning
  Memories memories = core.memories();
  memories.destination = memories.weights;
  execute(move, memories, GetParam());
  for (int i = 0; i < 80; ++i) {
    const int address = i < 48 ? 2000 + i : 1024 + i - 48;
    EXPECT_EQ(static_cast<std::uint8_t>(core.wl0[static_cast<std::size_t>(64 + i)]), static_cast<std::uint8_t>((address - 1024) * 7)) << i;
  }
  EXPECT_EQ(core.wl0[63], std::byte{0});
  EXPECT_EQ(core.wl0[144], std::byte{0});
}

TEST_P(MoveTest, WeightsWithinOneWrappedRegion) {
  core.region = {1, 1};
  for (int i = 0; i < 1024; ++i) core.put<std::uint8_t>(1024 + i, static_cast<std::uint8_t>(i % 251));
  isa::tile::WeightMove move;
  move.from_space = move.to_space = isa::tile::Space::l2;
  move.from = 1900;
  move.to = 1940;  // over what is read, and around the end
  move.bytes = 140;
  execute(move, core.memories(), GetParam());
  for (int i = 0; i < 140; ++i) {
    const int from = (1900 - 1024 + i) % 1024;
    const int to = (1940 - 1024 + i) % 1024;
    EXPECT_EQ(core.get<std::uint8_t>(1024 + to), from % 251) << i;
  }
}

TEST_P(MoveTest, DramThatCannotBeMapped) {
  // 2 rows of 2 pixels of 3 bytes, by DMA on both sides: 12 bytes read, and 12 written 100 further on
  std::vector<std::byte> dram(256);
  for (std::size_t i = 0; i < dram.size(); ++i) dram[i] = static_cast<std::byte>(i);
  Memory::Transfer transfer;
  transfer.opaque = dram.data();
  transfer.read = [](void *opaque, std::int64_t address, void *data, std::int64_t size) {
    std::memcpy(data, static_cast<std::byte *>(opaque) + address, static_cast<std::size_t>(size));
  };
  transfer.write = [](void *opaque, std::int64_t address, const void *data, std::int64_t size) {
    std::memcpy(static_cast<std::byte *>(opaque) + address, data, static_cast<std::size_t>(size));
  };
  isa::tile::Move move;
  move.from = padded_map(DataFmt::INT8, 3, 2, 2, 20);
  move.from.pixel_bytes = 3;
  move.from.row_bytes = 10;  // rows of a wider map
  move.to = move.from;
  move.to.base = 120;
  move.batch = 1;
  move.height = move.width = 2;
  move.channels = 3;
  const std::vector<std::byte> before = dram;
  execute(move, {Memory::transfer(transfer, 20, 16), {}, Memory::transfer(transfer, 120, 16), {}}, GetParam());
  for (std::size_t i = 0; i < dram.size(); ++i) {
    const bool written = (i >= 120 && i < 126) || (i >= 130 && i < 136);
    EXPECT_EQ(dram[i], written ? before[i - 100] : before[i]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Paths, MoveTest, testing::Values(Path::reference, Path::fast),
                         [](const auto &path) { return path.param == Path::reference ? "reference" : "fast"; });

}  // namespace
}  // namespace cox::test
