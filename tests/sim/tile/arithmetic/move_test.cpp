// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "core_memory.h"

namespace cox::model::arithmetic {

static void PrintTo(Path path, std::ostream *out) { *out << (path == Path::reference ? "reference" : "fast"); }

}  // namespace cox::model::arithmetic

namespace cox::test {
namespace {

using model::arithmetic::execute;
using model::arithmetic::Path;

class MoveTest : public testing::TestWithParam<Path> {
 protected:
  Core core;
};

TEST_P(MoveTest, DenseDramToPaddedL2) {
  // 2 images of 2x2 pixels of 3 FP16 channels. A pixel has 6 bytes in DRAM and 8 in L2, where 2 bytes stay unchanged.
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

  // Moves the pixels back, into a map whose pixels have 16 bytes.
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
  core.region = {1, 1};  // bytes 1,024 to 2,047
  for (int i = 0; i < 1024; ++i) core.put<std::uint8_t>(1024 + i, static_cast<std::uint8_t>(i * 7));
  isa::tile::WeightMove move;
  move.from_space = isa::tile::Space::l2;
  move.from = 2000;
  move.to = 64;
  move.bytes = 80;  // 48 bytes to the region's end, 32 at its beginning
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
  move.to = 1940;  // overlaps the source and wraps at the end
  move.bytes = 140;
  execute(move, core.memories(), GetParam());
  for (int i = 0; i < 140; ++i) {
    const int from = (1900 - 1024 + i) % 1024;
    const int to = (1940 - 1024 + i) % 1024;
    EXPECT_EQ(core.get<std::uint8_t>(1024 + to), from % 251) << i;
  }
}

TEST_P(MoveTest, DramThatCannotBeMapped) {
  // Moves 2 rows of 2 pixels of 3 bytes, 12 bytes in all, to addresses 100 bytes further on. Source and destination can be accessed only by
  // calls of `transfer`.
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
  move.from.row_bytes = 10;  // the rows belong to a wider map
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

TEST_P(MoveTest, ConvertsAndWritesNibblesInPairs) {
  // Converts 2 pixels of 3 FP32 channels to INT4. A pixel's third channel is in the lower half of its second byte. The upper half becomes
  // 0, and the bytes behind it keep their values.
  const float values[] = {2.5f, -9, 7, -1, 100, 0.5f};
  for (std::int64_t i = 0; i < 6; ++i) core.put(1024 + (i / 3) * 16 + (i % 3) * 4, values[i]);
  for (std::int64_t i = 0; i < 16; ++i) core.put<std::uint8_t>(512 + i, 0x55);
  isa::tile::Move move;
  move.from = padded_map(DataFmt::FP32, 3, 1, 2, 1024);
  move.to = padded_map(DataFmt::INT4, 3, 1, 2, 512);
  move.batch = move.height = 1;
  move.width = 2;
  move.channels = 3;
  execute(move, core.memories(), GetParam());
  const std::uint8_t expected[] = {0x82, 0x07, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x7F, 0x00, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55};
  for (std::int64_t i = 0; i < 16; ++i) EXPECT_EQ(core.get<std::uint8_t>(512 + i), expected[i]) << i;
  // Copies only channel 0 as INT4. It is in the lower half of its byte, and the upper half becomes 0.
  move.from = move.to;
  move.to = padded_map(DataFmt::INT4, 3, 1, 2, 2048);
  move.channels = 1;
  for (std::int64_t i = 0; i < 16; ++i) core.put<std::uint8_t>(2048 + i, 0x55);
  execute(move, core.memories(), GetParam());
  EXPECT_EQ(core.get<std::uint16_t>(2048), 0x5502);
  EXPECT_EQ(core.get<std::uint16_t>(2056), 0x550F);
}

TEST_P(MoveTest, TransformToPlanesAndBack) {
  // Transforms 2x2 pixels of 3 INT4 channels from NHWC to planes with rows of 8 bytes. The element of channel c at (h, w) is 4 * c + 2 * h
  // + w + 1.
  for (std::int64_t i = 0; i < 4; ++i) {
    core.put<std::uint8_t>(1024 + 8 * i, static_cast<std::uint8_t>((i + 1) | (i + 5) << 4));
    core.put<std::uint8_t>(1025 + 8 * i, static_cast<std::uint8_t>((i + 9) | 0xF0));  // the upper half is padding
  }
  for (std::int64_t i = 0; i < 48; ++i) core.put<std::uint8_t>(512 + i, 0x55);
  isa::tile::Transform transform;
  transform.batch = 1;
  transform.channels = 3;
  transform.height = transform.width = 2;
  transform.format.format = DataFmt::INT4;
  transform.element_bits = 4;
  transform.from.base = 1024;
  transform.from.block_step = 4;
  transform.from.column = 64;
  transform.from.row = 128;
  transform.to.base = 512;
  transform.to.column = 4;
  transform.to.row = 64;
  transform.to.block_step = 128;
  execute(transform, core.memories(), GetParam());
  for (std::int64_t row = 0; row < 6; ++row) {
    const auto first = static_cast<std::uint16_t>(2 * row + 1);
    EXPECT_EQ(core.get<std::uint16_t>(512 + 8 * row), 0x5500 | first | (first + 1) << 4) << row;
  }
  std::swap(transform.from, transform.to);
  transform.to.base = 2048;
  execute(transform, core.memories(), GetParam());
  EXPECT_EQ(core.get<std::uint16_t>(2048), 0x0951);
  EXPECT_EQ(core.get<std::uint16_t>(2048 + 24), 0x0C84);
}

TEST_P(MoveTest, WeightsOfSomeChannels) {
  // The source has 2 records of 4 INT8 channels at 2 positions. Channels 1 to 3 go to records of 3 channels. The last of these 3 channels
  // is masked, so the move writes 0 instead.
  isa::tile::WeightMove move;
  move.from_space = isa::tile::Space::l2;
  move.from = 1024;
  move.to = 64;
  move.kernels = 2;
  move.channels = 3;
  move.rows = 1;
  move.columns = 2;
  move.whole = false;
  move.position_bytes = move.source_position_bytes = 8;
  move.source_record_bytes = 48;
  move.first_channel = 1;
  move.unmasked = 2;
  move.bytes = 96;
  for (std::int64_t i = 0; i < 96; ++i) core.put<std::uint8_t>(1024 + i, static_cast<std::uint8_t>(i + 1));
  std::fill(core.wl0.begin(), core.wl0.begin() + 256, std::byte{0x55});
  Memories memories = core.memories();
  memories.destination = memories.weights;
  execute(move, memories, GetParam());
  for (std::size_t i = 0; i < 256; ++i) {
    std::size_t expected = 0x55;
    if (i >= 64 && i < 160) {
      const std::size_t byte = (i - 64) % 48;
      // A destination record has 48 bytes. Bytes 0 to 15 are two positions of 8 bytes each: the source's channels 1 and 2, then zeros.
      // Bytes 16 to 47 are the record's parameters.
      expected = byte >= 16 ? i - 63 : byte % 8 < 2 ? i - 62 : 0;
    }
    EXPECT_EQ(static_cast<std::size_t>(core.wl0[i]), expected) << i;
  }
}

TEST_P(MoveTest, WeightsFromAFeatureMap) {
  // The map has 2 pixels of 3 INT4 channels. Each pixel becomes the weights of a 1x1 kernel with scale 1.
  isa::tile::WeightMove move;
  move.from = 1024;
  move.kernels = 2;
  move.channels = 3;
  move.rows = move.columns = 1;
  move.format.format = DataFmt::INT4;
  move.element_bits = 4;
  move.whole = false;
  move.feature_map = true;
  move.position_bytes = move.source_position_bytes = move.source_record_bytes = 8;
  move.bytes = 80;
  core.put<std::uint32_t>(1024, 0xFFFFF321);
  core.put<std::uint32_t>(1032, 0xFFFFF654);
  std::fill(core.wl0.begin(), core.wl0.begin() + 96, std::byte{0x55});
  Memories memories = core.memories();
  memories.destination = memories.weights;
  execute(move, memories, GetParam());
  std::vector<std::byte> expected(96, std::byte{0});
  const std::uint8_t weights[] = {0x21, 0x03, 0x54, 0x06};
  const float scale = 1;
  for (std::size_t k = 0; k < 2; ++k) {
    std::memcpy(&expected[40 * k], weights + 2 * k, 2);
    std::memcpy(&expected[40 * k + 8], &scale, sizeof scale);
  }
  std::fill(expected.begin() + 80, expected.end(), std::byte{0x55});
  EXPECT_EQ(std::vector<std::byte>(core.wl0.begin(), core.wl0.begin() + 96), expected);
}

INSTANTIATE_TEST_SUITE_P(Paths, MoveTest, testing::Values(Path::reference, Path::fast), testing::PrintToStringParamName());

}  // namespace
}  // namespace cox::test
