// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/mx9_pack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "coxswain/isa/numbers/bfloat16.h"
#include "coxswain/kernels/mx/mx9_unpack.h"
#include "tests/kernels/mx9/readings.h"

namespace cox::mx9 {
namespace pack_test {

using isa::mx::Block;
using kernels::mx::mx9_pack;
using kernels::mx::mx9_pack_bf16;
using kernels::mx::mx9_pack_planes;
using kernels::mx::mx9_pack_space_to_depth;
using kernels::mx::mx9_unpack;
using kernels::mx::mx9_unpack_bf16;
using kernels::mx::mx9_unpack_planes;

const Block kUntouched{1, 2, {3, 4, 5}};

void expect_refused(const Status &status, const char *what, std::int64_t value, std::int64_t limit) {
  EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
  EXPECT_STREQ(status.what(), what);
  EXPECT_EQ(status.value(), value);
  EXPECT_EQ(status.limit(), limit);
}

class Mx9Conversion : public ::testing::Test {
 protected:
  std::mt19937 random{3};

  std::uint32_t number() { return static_cast<std::uint32_t>(random()); }
  /// In most blocks the values have similar exponents. In the others the values have random bits.
  std::vector<float> values(std::size_t count) {
    std::vector<float> result(count);
    for (std::size_t i = 0; i < count; ++i) {
      const bool any = i / 64 % 4 == 3;
      const std::uint32_t exponent = static_cast<std::uint32_t>(i / 64) % 240 + number() % 12;
      result[i] = from_bits(any ? number() : (number() & 0x807FFFFF) | exponent << 23);
    }
    return result;
  }
};

TEST_F(Mx9Conversion, PackIsTheBlockManyTimes) {
  for (const std::size_t count : {0, 1, 2, 3, 7, 8, 9, 31, 20'000}) {
    const std::vector<float> input = values(16 * count);
    std::vector<Block> blocks(count + 1, kUntouched);
    ASSERT_TRUE(mx9_pack(input, std::span(blocks).first(count)));
    EXPECT_EQ(blocks[count], kUntouched);
    for (std::size_t i = 0; i < count; ++i) {
      Values block{};
      std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(16 * i), 16, block.begin());
      ASSERT_EQ(bytes_of(blocks[i]), quantised(block)) << i;
    }
  }
}

/// Tests all pairs of exponents: one value of a block has the first exponent, the others have the second.
TEST_F(Mx9Conversion, PackOfEveryTwoExponents) {
  std::vector<float> input;
  for (std::uint32_t largest = 0; largest < 256; ++largest) {
    for (std::uint32_t other = 0; other < 256; ++other) {
      for (std::uint32_t i = 0; i < 16; ++i) {
        const std::uint32_t tie = number() % 128 << 16 | 0x8000 >> (number() % 9);
        const std::uint32_t exponent = i == other % 16 ? largest : other;
        input.push_back(from_bits((number() & 0x80000000) | exponent << 23 | (i % 2 == 0 ? tie : number() & 0x7FFFFF)));
      }
    }
  }
  std::vector<Block> blocks(input.size() / 16);
  ASSERT_TRUE(mx9_pack(input, blocks));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Values block{};
    std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(16 * i), 16, block.begin());
    ASSERT_EQ(bytes_of(blocks[i]), quantised(block)) << i / 256 << " " << i % 256;
  }
}

TEST_F(Mx9Conversion, FromBfloat16) {
  std::vector<std::uint16_t> halves(16 * 4096);
  std::vector<float> widened(halves.size());
  for (std::size_t i = 0; i < halves.size(); ++i) {
    halves[i] = static_cast<std::uint16_t>(i);  // all BF16 values
    widened[i] = from_bits(static_cast<std::uint32_t>(i) << 16);
  }
  std::vector<Block> blocks(4096);
  std::vector<Block> expected(4096);
  ASSERT_TRUE(mx9_pack_bf16(halves, blocks));
  ASSERT_TRUE(mx9_pack(widened, expected));
  EXPECT_EQ(blocks, expected);
}

TEST_F(Mx9Conversion, UnpackIsTheBlockManyTimes) {
  std::vector<Block> blocks(16 * 256);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Bytes bytes{};
    for (std::uint8_t &byte : bytes) byte = static_cast<std::uint8_t>(number());
    bytes[0] = static_cast<std::uint8_t>(i / 16);
    blocks[i] = block_of(bytes);
  }
  std::vector<float> floats(blocks.size() * 16);
  std::vector<std::uint16_t> halves(blocks.size() * 16);
  ASSERT_TRUE(mx9_unpack(blocks, floats));
  ASSERT_TRUE(mx9_unpack_bf16(blocks, halves));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Values expected = dequantised(bytes_of(blocks[i]));
    for (std::size_t j = 0; j < 16; ++j) {
      const bool nan = blocks[i].exponent == isa::mx::kNanExponent;
      ASSERT_EQ(bits_of(floats[16 * i + j]), nan ? 0x7FC00000 : bits_of(expected[j]));
      ASSERT_EQ(halves[16 * i + j], nan ? 0x7FC0 : isa::numbers::bfloat16_from_float(expected[j]));
      // BF16 represents exactly each result that is a normal number.
      if (!nan && std::fabs(expected[j]) >= std::numeric_limits<float>::min()) {
        ASSERT_EQ(bits_of(expected[j]) & 0xFFFF, 0U);
      }
    }
  }
}

// Channel c of pixel p has the value 100 * c + p. It is element c % 16 of block (c / 16) * pixels + p.
TEST_F(Mx9Conversion, Planes) {
  for (const std::size_t channels : {1, 15, 16, 17, 35, 48}) {
    for (const std::size_t pixels : {1, 3, 50}) {
      std::vector<float> planes;
      for (std::size_t c = 0; c < channels; ++c) {
        for (std::size_t p = 0; p < pixels; ++p) planes.push_back(static_cast<float>(100 * c + p));
      }
      const std::size_t channel_blocks = (channels + 15) / 16;
      std::vector<Block> blocks(channel_blocks * pixels);
      ASSERT_TRUE(mx9_pack_planes(planes, channels, pixels, blocks));
      std::vector<float> expected_back(channels * pixels);
      for (std::size_t channel_block = 0; channel_block < channel_blocks; ++channel_block) {
        for (std::size_t p = 0; p < pixels; ++p) {
          Values block{};
          for (std::size_t i = 0; i < 16 && 16 * channel_block + i < channels; ++i)
            block[i] = static_cast<float>(100 * (16 * channel_block + i) + p);
          const Bytes bytes = quantised(block);
          ASSERT_EQ(bytes_of(blocks[channel_block * pixels + p]), bytes);
          const Values back = dequantised(bytes);
          for (std::size_t i = 0; i < 16 && 16 * channel_block + i < channels; ++i)
            expected_back[(16 * channel_block + i) * pixels + p] = back[i];
        }
      }
      std::vector<float> back(channels * pixels);
      ASSERT_TRUE(mx9_unpack_planes(blocks, channels, pixels, back));
      EXPECT_EQ(back, expected_back);
    }
  }
}

// A 2 x 4 image of two channels becomes two pixels of eight channels. Channel 0 of the image has the rows 0 1 2 3 and 4 5 6 7. Channel 1
// has these numbers plus 8.
TEST_F(Mx9Conversion, SpaceToDepthByHand) {
  std::vector<float> image;
  for (int i = 0; i < 16; ++i) image.push_back(static_cast<float>(i));
  std::vector<Block> blocks(2);
  ASSERT_TRUE(mx9_pack_space_to_depth(image, 2, 2, 4, blocks));
  EXPECT_EQ(bytes_of(blocks[0]), quantised({0, 8, 1, 9, 4, 12, 5, 13}));
  EXPECT_EQ(bytes_of(blocks[1]), quantised({2, 10, 3, 11, 6, 14, 7, 15}));
}

TEST_F(Mx9Conversion, SpaceToDepth) {
  for (std::size_t channels = 1; channels <= 4; ++channels) {
    const std::size_t height = 6;
    const std::size_t width = 14;
    const std::vector<float> image = values(channels * height * width);
    std::vector<Block> blocks(height * width / 4);
    ASSERT_TRUE(mx9_pack_space_to_depth(image, channels, height, width, blocks));
    std::vector<Values> expected(blocks.size());
    for (std::size_t c = 0; c < channels; ++c) {
      for (std::size_t row = 0; row < height; ++row) {
        for (std::size_t column = 0; column < width; ++column) {
          expected[row / 2 * (width / 2) + column / 2][(2 * (row % 2) + column % 2) * channels + c] =
              image[(c * height + row) * width + column];
        }
      }
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) ASSERT_EQ(bytes_of(blocks[i]), quantised(expected[i]));
  }
}

TEST_F(Mx9Conversion, ContiguousSizes) {
  std::vector<float> floats(32);
  std::vector<std::uint16_t> halves(32);
  std::vector<Block> blocks(3, kUntouched);
  const std::vector<Block> before = blocks;
  expect_refused(mx9_pack(std::span(floats).first(31), std::span(blocks).first(2)), "values", 31, 16);
  expect_refused(mx9_pack(floats, blocks), "blocks", 3, 2);
  expect_refused(mx9_pack(floats, std::span(blocks).first(1)), "blocks", 1, 2);
  expect_refused(mx9_pack_bf16(std::span(halves).first(17), std::span(blocks).first(1)), "values", 17, 16);
  expect_refused(mx9_pack_bf16(halves, blocks), "blocks", 3, 2);
  EXPECT_EQ(blocks, before);
  expect_refused(mx9_unpack(blocks, floats), "blocks", 3, 2);
  expect_refused(mx9_unpack(blocks, std::span(floats).first(15)), "values", 15, 16);
  expect_refused(mx9_unpack_bf16(blocks, halves), "blocks", 3, 2);
  expect_refused(mx9_unpack_bf16(blocks, std::span(halves).first(15)), "values", 15, 16);
  EXPECT_EQ(floats, std::vector<float>(32));
  EXPECT_EQ(halves, std::vector<std::uint16_t>(32));
}

TEST_F(Mx9Conversion, SizesOfPlanes) {
  std::vector<float> floats(17 * 3);
  std::vector<Block> blocks(6, kUntouched);
  const std::vector<Block> before = blocks;
  expect_refused(mx9_pack_planes(floats, 0, 3, blocks), "channels", 0, 1);
  expect_refused(mx9_pack_planes(floats, 17, 0, blocks), "pixels", 0, 1);
  expect_refused(mx9_pack_planes(floats, 16, 3, blocks), "values", 51, 48);
  expect_refused(mx9_pack_planes(floats, 17, 3, std::span(blocks).first(5)), "blocks", 5, 6);
  expect_refused(mx9_pack_planes(floats, std::size_t{1} << 63, 3, blocks), "values", 51, -1);
  EXPECT_EQ(blocks, before);
  expect_refused(mx9_unpack_planes(blocks, 0, 3, floats), "channels", 0, 1);
  expect_refused(mx9_unpack_planes(blocks, 17, 0, floats), "pixels", 0, 1);
  expect_refused(mx9_unpack_planes(blocks, 16, 3, floats), "values", 51, 48);
  expect_refused(mx9_unpack_planes(std::span(blocks).first(5), 17, 3, floats), "blocks", 5, 6);
  EXPECT_EQ(floats, std::vector<float>(17 * 3));
}

TEST_F(Mx9Conversion, SizesOfSpaceToDepth) {
  std::vector<float> image(3 * 4 * 6);
  std::vector<Block> blocks(6, kUntouched);
  const std::vector<Block> before = blocks;
  expect_refused(mx9_pack_space_to_depth(image, 0, 4, 6, blocks), "channels", 0, 4);
  expect_refused(mx9_pack_space_to_depth(image, 5, 4, 6, blocks), "channels", 5, 4);
  expect_refused(mx9_pack_space_to_depth(image, 3, 0, 6, blocks), "height", 0, 2);
  expect_refused(mx9_pack_space_to_depth(image, 3, 5, 6, blocks), "height", 5, 2);
  expect_refused(mx9_pack_space_to_depth(image, 3, 4, 0, blocks), "width", 0, 2);
  expect_refused(mx9_pack_space_to_depth(image, 3, 4, 7, blocks), "width", 7, 2);
  expect_refused(mx9_pack_space_to_depth(image, 4, 4, 6, blocks), "image", 72, 96);
  expect_refused(mx9_pack_space_to_depth(image, 3, 4, 6, std::span(blocks).first(5)), "blocks", 5, 6);
  expect_refused(mx9_pack_space_to_depth(image, 3, std::size_t{1} << 40, std::size_t{1} << 40, blocks), "image", 72, -1);
  EXPECT_EQ(blocks, before);
}

/// Calls in which the values and the blocks share memory.
TEST_F(Mx9Conversion, RefusesOverlap) {
  std::vector<float> memory(64, 1.0F);
  const std::vector<float> before = memory;
  const std::span<float> floats = std::span(memory).first(32);
  const std::span<Block> inside(reinterpret_cast<Block *>(memory.data() + 31), 2);
  const std::span<Block> behind(reinterpret_cast<Block *>(memory.data() + 32), 2);
  EXPECT_EQ(mx9_pack(floats, inside).code(), ErrorCode::tensor_overlap);
  EXPECT_EQ(mx9_unpack(inside, floats).code(), ErrorCode::tensor_overlap);
  EXPECT_EQ(mx9_pack_planes(floats, 16, 2, inside).code(), ErrorCode::tensor_overlap);
  EXPECT_EQ(mx9_unpack_planes(inside, 16, 2, floats).code(), ErrorCode::tensor_overlap);
  EXPECT_EQ(mx9_pack_space_to_depth(floats.first(24), 3, 2, 4, {reinterpret_cast<Block *>(memory.data()), 2}).code(),
            ErrorCode::tensor_overlap);
  EXPECT_EQ(memory, before);
  EXPECT_TRUE(mx9_pack(floats, behind));
}

}  // namespace pack_test
}  // namespace cox::mx9
