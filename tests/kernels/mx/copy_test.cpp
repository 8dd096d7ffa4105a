// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/kernels/mx/dram.h"

namespace cox::kernels::mx {
namespace copy_test {

using isa::mx::kBlockBytes;
using isa::mx::Move;
using tests::Dram;

constexpr std::uint64_t kFrom = 0x6000'0000, kTo = 0xA000'0000;

struct Copied {
  std::uint64_t blocks = 0;
  std::vector<Move> moves;
};

/// Appends a copy that is too large to be executed in the test, and returns its MOVEs.
template <typename Append>
Copied moves_of(Append append) {
  std::vector<std::uint64_t> memory(1U << 13);
  Stream stream;
  const isa::mx::Window windows[] = {{.base = kFrom, .bytes = kTo - kFrom, .read = true, .write = false},
                                     {.base = kTo, .bytes = 0x4000'0000, .read = true, .write = true}};
  EXPECT_TRUE(stream.init(std::as_writable_bytes(std::span(memory)), windows).ok());
  EXPECT_TRUE(append(stream).ok());
  Copied copied;
  for (const isa::mx::Operation &operation : tests::operations_of(stream)) {
    copied.moves.push_back(std::get<Move>(operation));
    copied.blocks += std::uint64_t{copied.moves.back().run} * copied.moves.back().count;
  }
  return copied;
}

TEST(Copy, RegionsOfRandomMaps) {
  std::mt19937 random(7);
  const auto some = [&](std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random);
  };
  Dram dram(300'000);
  for (int round = 0; round < 300; ++round) {
    dram.clear();
    const std::uint32_t blocks = some(1, 4), rows = some(1, 8), columns = some(1, 8);
    const bool dense = some(0, 2) == 0;
    const Tensor from = dram.tensor(16 * blocks, rows + (dense ? 0 : some(0, 3)), columns + (dense ? 0 : some(0, 3)));
    const Tensor to = dram.tensor(16 * blocks, rows + (dense ? 0 : some(0, 3)), columns + (dense ? 0 : some(0, 3)));
    tests::fill(dram.blocks(from), random);
    tests::fill(dram.blocks(to), random);
    const std::uint32_t from_row = some(0, from.height - rows), from_column = some(0, from.width - columns);
    const std::uint32_t to_row = some(0, to.height - rows), to_column = some(0, to.width - columns);
    std::vector<tests::Block> expected(dram.blocks(to).begin(), dram.blocks(to).end());
    for (std::uint32_t c = 0; c < blocks; ++c) {
      for (std::uint32_t y = 0; y < rows; ++y) {
        for (std::uint32_t x = 0; x < columns; ++x) {
          expected[(c * to.height + to_row + y) * to.width + to_column + x] =
              dram.blocks(from)[(c * from.height + from_row + y) * from.width + from_column + x];
        }
      }
    }
    ASSERT_TRUE(
        append_copy(dram.stream(), region_of(from, from_row, from_column), region_of(to, to_row, to_column), blocks, rows, columns).ok());
    const unsigned moves = dram.run();
    EXPECT_LE(moves, std::min(blocks, rows));
    if (dense) {
      EXPECT_EQ(moves, 1U);
    }
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), dram.blocks(to).begin())) << "round " << round;
  }
}

TEST(Copy, LongRunsAreCut) {
  const auto run = [](std::uint64_t count) { return moves_of([=](Stream &stream) { return append_copy(stream, kFrom, kTo, count); }); };
  EXPECT_EQ(run(1U << 18).moves.size(), 1U);
  const Copied copied = run((1U << 19) + 1);
  ASSERT_EQ(copied.moves.size(), 3U);
  EXPECT_EQ(copied.blocks, (1U << 19) + 1);
  EXPECT_EQ(copied.moves[2].run, 1U);
  EXPECT_EQ(copied.moves[2].from, kFrom + (std::uint64_t{1} << 19) * kBlockBytes);
  EXPECT_EQ(copied.moves[2].to, kTo + (std::uint64_t{1} << 19) * kBlockBytes);
}

/// The copied region has whole rows, so one MOVE copies all channel blocks.
TEST(Copy, WholeRowsAreOneMove) {
  const Tensor map{kFrom, 64, 2000, 1000};
  const Copied copied = moves_of([&](Stream &stream) {
    return append_copy(stream, region_of(map, 300, 0), {kTo, 1000, 256'000}, 4, 256, 1000);
  });
  ASSERT_EQ(copied.moves.size(), 1U);
  EXPECT_EQ(copied.moves[0].from, kFrom + 300 * 1000 * kBlockBytes);
  EXPECT_EQ(copied.moves[0].run, 256'000U);
  EXPECT_EQ(copied.moves[0].count, 4U);
  EXPECT_EQ(copied.moves[0].from_stride, 2'000'000U);
  EXPECT_EQ(copied.moves[0].to_stride, 256'000U);
}

/// The planes are too far apart for a stride field, so each plane takes a MOVE.
TEST(Copy, StridesThatNoFieldHolds) {
  const Region far{kFrom, 1U << 23, 1U << 25};
  const Copied rows = moves_of([&](Stream &stream) { return append_copy(stream, far, {kTo, 10, 30}, 2, 3, 10); });
  ASSERT_EQ(rows.moves.size(), 2U);
  EXPECT_EQ(rows.moves[1].from, kFrom + (std::uint64_t{1} << 25) * kBlockBytes);
  EXPECT_EQ(rows.moves[1].to, kTo + 30 * kBlockBytes);
  EXPECT_EQ(rows.moves[1].count, 3U);
  const Region further{kFrom, 1U << 24, 1U << 25};
  const Copied neither = moves_of([&](Stream &stream) { return append_copy(stream, further, {kTo, 10, 20}, 2, 2, 10); });
  ASSERT_EQ(neither.moves.size(), 4U);
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(std::count_if(neither.moves.begin(), neither.moves.end(),
                            [&](const Move &move) {
                              return move.from == kFrom + (i << 24) * kBlockBytes && move.to == kTo + i * 10 * kBlockBytes &&
                                     move.run == 10 && move.count == 1;
                            }),
              1);
  }
}

}  // namespace copy_test
}  // namespace cox::kernels::mx
