// SPDX-License-Identifier: MIT
// Tests, by examples worked out by hand, where moves put elements, and that they fill the rest of a fractal with zeros (docs/isa/cube.md,
// Layouts).
#include <vector>

#include "every_path.h"

namespace cox::test {
namespace {

using namespace isa::cube;

class MoveTest : public EveryPath {
 protected:
  MoveTest() {
    for (model::cube::Buffer *buffer : {&buffers.l1, &buffers.l0a, &buffers.l0b})
      std::fill(buffer->begin(), buffer->end(), std::byte{0xA5});
  }
};

TEST_F(MoveTest, LoadsRowsIntoFractalsWithZerosAround) {
  std::vector<std::byte> dram(17 * 50);  // 17 rows of 33 bytes, pitch 50
  for (std::size_t i = 0; i < dram.size(); ++i) dram[i] = static_cast<std::byte>(i / 50 + i % 50 + 1);
  execute(DramToL1{.rows = 17, .row_bytes = 33, .source_pitch = 50, .format = Format::fractal, .destination = 512, .destination_pitch = 3},
          dram);
  for (std::size_t column = 0; column < 64; ++column) {
    for (std::size_t row = 0; row < 48; ++row) {  // the move does not touch the third fractal of a column
      const std::size_t at = 512 + (column / 32 * 3 + row / 16) * 512 + row % 16 * 32 + column % 32;
      const std::size_t expected = row >= 32 ? 0xA5 : row < 17 && column < 33 ? row + column + 1 : 0;
      ASSERT_EQ(std::to_integer<std::size_t>(buffers.l1[at]), expected) << row << ", " << column;
    }
  }
}

TEST_F(MoveTest, FillsL0WithZerosAround) {
  // 17 x 9 FP32 elements, with k aligned to 16. L0A gets two rows of two fractals of 16 x 8. In L1, each column has two fractals.
  for (std::size_t row = 0; row < 17; ++row) {
    for (std::size_t k = 0; k < 9; ++k)
      put(buffers.l1, (k / 8 * 2 + row / 16) * 512 + row % 16 * 32 + k % 8 * 4, static_cast<std::uint32_t>(row * 9 + k + 1));
  }
  execute(L1ToL0{.type = Type::float32, .k_align = true, .source_pitch = 2, .rows = 17, .columns = 9});
  execute(L1ToL0{.right = true, .type = Type::float32, .k_align = true, .source_pitch = 2, .rows = 9, .columns = 17});
  for (std::size_t row = 0; row < 32; ++row) {
    for (std::size_t k = 0; k < 16; ++k) {
      const std::uint32_t expected = row < 17 && k < 9 ? static_cast<std::uint32_t>(row * 9 + k + 1) : 0;
      ASSERT_EQ(get(buffers.l0a, (row / 16 * 2 + k / 8) * 512 + row % 16 * 32 + k % 8 * 4), expected) << row << ", " << k;
      ASSERT_EQ(get(buffers.l0b, (k / 8 * 2 + row / 16) * 512 + row % 16 * 32 + k % 8 * 4), expected) << row << ", " << k;
    }
  }
  EXPECT_EQ(get(buffers.l0a, 2048), 0xA5A5A5A5U);
  EXPECT_EQ(get(buffers.l0b, 2048), 0xA5A5A5A5U);
}

TEST_F(MoveTest, TransposesNibbles) {
  // L1 holds 2 rows of 18 nibbles (9 bytes). Row m of the transposed matrix is one byte: its low nibble comes from row 0 of L1, its high
  // nibble from row 1.
  for (std::size_t pair = 0; pair < 9; ++pair) {
    put(buffers.l1, pair, static_cast<std::uint8_t>(0x10 + 0x22 * (pair % 7)));  // values 2 * (pair % 7) and 2 * (pair % 7) + 1
    put(buffers.l1, 32 + pair, static_cast<std::uint8_t>(0x98 - 0x11 * pair));   // values 8 - pair and 9 - pair
  }
  execute(L1ToL0{.type = Type::int4, .transpose = true, .source_pitch = 1, .rows = 18, .columns = 2});
  const auto row = [&](std::size_t m) { return std::to_integer<unsigned>(buffers.l0a[m / 16 * 512 + m % 16 * 32]); };
  EXPECT_EQ(row(0), 0x80U);
  EXPECT_EQ(row(1), 0x91U);
  EXPECT_EQ(row(6), 0x56U);  // the low nibbles of byte 3 of the two L1 rows: 0x76 and 0x65
  EXPECT_EQ(row(7), 0x67U);
  EXPECT_EQ(row(17), 0x13U);  // the high nibbles of byte 8 of the two L1 rows: 0x32 and 0x10
  EXPECT_EQ(row(18), 0U);
  EXPECT_EQ(buffers.l0a[1], std::byte{0});
}

TEST_F(MoveTest, UnrollsKernelsOverAMap) {
  // A map of 2 x 2 pixels of two bytes, and a kernel of 2 x 2. The map has a row of padding at the top and a column of padding at the left,
  // both with the value -1.
  for (std::size_t i = 0; i < 8; ++i) put(buffers.l1, i, static_cast<std::uint8_t>(i + 1));
  Im2col map{.height = 2, .width = 2, .channels = 2, .type = Type::int8, .pad_value = -1, .pixel_pitch = 2, .row_pitch = 4};
  map.kernel_height = map.kernel_width = 2;
  map.pad_top = map.pad_left = 1;
  map.out_width = 2;
  execute(Im2colToL0A{.map = map, .first_place = 0, .rows = 4, .columns = 8});
  const auto row = [&](std::size_t place) {
    std::vector<int> bytes(9);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = get<std::int8_t>(buffers.l0a, place * 32 + i);
    return bytes;
  };
  EXPECT_EQ(row(0), (std::vector<int>{-1, -1, -1, -1, -1, -1, 1, 2, 0}));
  EXPECT_EQ(row(1), (std::vector<int>{-1, -1, -1, -1, 1, 2, 3, 4, 0}));
  EXPECT_EQ(row(2), (std::vector<int>{-1, -1, 1, 2, -1, -1, 5, 6, 0}));
  EXPECT_EQ(row(3), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 0}));
  EXPECT_EQ(row(4), std::vector<int>(9));
  // Columns beyond the last position of the kernel are 0, not the padding value -1.
  execute(Im2colToL0A{.map = map, .rows = 1, .first_column = 32, .columns = 32});
  EXPECT_EQ(row(0), std::vector<int>(9));
}

}  // namespace
}  // namespace cox::test
