// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/mx9_pack_u8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "coxswain/kernels/mx/mx9_pack.h"
#include "tests/kernels/mx9/readings.h"

namespace cox::mx9 {
namespace pack_u8_test {

using isa::mx::Block;
using kernels::mx::ByteConversion;
using kernels::mx::mx9_pack;
using kernels::mx::mx9_pack_space_to_depth;
using kernels::mx::mx9_pack_u8;
using kernels::mx::mx9_pack_u8_space_to_depth;

const Block kUntouched{1, 2, {3, 4, 5}};

struct Scale {
  float scale, offset;
};

float number(Scale scale, std::uint8_t byte) {
  const float product = static_cast<float>(byte) * scale.scale;
  return product + scale.offset;
}

/// Pictures of 0 to 1, signed bytes, ImageNet's first channel, one value for all bytes, numbers on both sides of FP32's least normal number
/// and up to its largest, and offsets that cancel a product almost completely.
const std::vector<Scale> kScales = {{1.0F / 255.0F, 0},
                                    {1.0F / 256.0F, 0},
                                    {1, -128},
                                    {2.0F / 255.0F, -1},
                                    {0.0171247F, -2.1179F},
                                    {-0.03F, 3},
                                    {0, 5},
                                    {0, 0},
                                    {0x1p-130F, 0},
                                    {0x1p-126F, -0x1p-120F},
                                    {0x1.0p120F, 0},
                                    {1e30F, -1e32F},
                                    {1e-3F, 1e4F},
                                    {0.1F, -0.7F},
                                    {0.1F, -12.8F},
                                    {0.003921569F, -0.5F},
                                    {1e-45F, 0x1p-126F},
                                    {-0x1p-149F, 0}};

class Mx9PackU8 : public ::testing::Test {
 protected:
  std::mt19937 random{11};
  std::unique_ptr<ByteConversion> conversion = std::make_unique<ByteConversion>();

  std::uint8_t byte() { return static_cast<std::uint8_t>(random()); }
  std::vector<std::uint8_t> bytes(std::size_t count) {
    std::vector<std::uint8_t> result(count);
    for (std::uint8_t &value : result) value = byte();
    return result;
  }
  void expect_packs(Scale scale, const std::vector<std::uint8_t> &values) {
    std::vector<float> numbers;
    for (const std::uint8_t value : values) numbers.push_back(number(scale, value));
    std::vector<Block> blocks(values.size() / 16 + 1, kUntouched);
    std::vector<Block> expected(blocks.size(), kUntouched);
    ASSERT_TRUE(mx9_pack(numbers, std::span(expected).first(values.size() / 16)));
    ASSERT_TRUE(mx9_pack_u8(values, *conversion, std::span(blocks).first(values.size() / 16)));
    ASSERT_EQ(blocks, expected) << scale.scale << " " << scale.offset;
  }
};

/// Every two bytes as neighbours of a pair and in different pairs, beside zeros and beside random bytes.
TEST_F(Mx9PackU8, PacksTheNumbersOfTheBytes) {
  for (const Scale scale : kScales) {
    ASSERT_TRUE(conversion->init(scale.scale, scale.offset));
    std::vector<std::uint8_t> values;
    for (std::size_t one = 0; one < 256; ++one) {
      for (std::size_t other = 0; other < 256; ++other) {
        std::array<std::uint8_t, 16> block{};
        const std::size_t places = byte();
        if (places % 3 == 0) std::generate(block.begin(), block.end(), [this] { return byte(); });
        if (places % 3 == 1) block.fill(static_cast<std::uint8_t>(one));
        block[places % 16] = static_cast<std::uint8_t>(one);
        block[places / 16] = static_cast<std::uint8_t>(other);
        values.insert(values.end(), block.begin(), block.end());
      }
    }
    expect_packs(scale, values);
    for (const std::size_t count : {0, 1, 2, 3, 5}) expect_packs(scale, bytes(16 * count));
  }
}

TEST_F(Mx9PackU8, PacksRandomScales) {
  for (int round = 0; round < 2000; ++round) {
    // Every scale, and an offset that is near minus the number of a byte, or any.
    const float scale =
        from_bits((static_cast<std::uint32_t>(random()) & 0x807FFFFF) | (static_cast<std::uint32_t>(random() % 120 + 60) << 23));
    const float any =
        from_bits((static_cast<std::uint32_t>(random()) & 0x807FFFFF) | static_cast<std::uint32_t>(random() % 200 + 20) << 23);
    const float offset = round % 2 == 0 ? any : -scale * static_cast<float>(byte()) * (1 + static_cast<float>(random() % 3) * 0x1p-23F);
    ASSERT_TRUE(conversion->init(scale, offset)) << scale << " " << offset;
    expect_packs({scale, offset}, bytes(16 * 7));
  }
}

TEST_F(Mx9PackU8, SpaceToDepth) {
  for (const Scale scale : kScales) {
    ASSERT_TRUE(conversion->init(scale.scale, scale.offset));
    for (std::size_t channels = 1; channels <= 4; ++channels) {
      for (const std::size_t width : {2, 4, 14}) {
        const std::size_t height = 6;
        const std::vector<std::uint8_t> picture = bytes(channels * height * width);
        std::vector<float> planes(picture.size());
        for (std::size_t i = 0; i < picture.size(); ++i) planes[i % channels * height * width + i / channels] = number(scale, picture[i]);
        std::vector<Block> blocks(height * width / 4 + 1, kUntouched);
        std::vector<Block> expected(blocks.size(), kUntouched);
        const std::size_t count = blocks.size() - 1;
        ASSERT_TRUE(mx9_pack_space_to_depth(planes, channels, height, width, std::span(expected).first(count)));
        ASSERT_TRUE(mx9_pack_u8_space_to_depth(picture, channels, height, width, *conversion, std::span(blocks).first(count)));
        ASSERT_EQ(blocks, expected) << scale.scale << " " << scale.offset << ", " << channels << " channels";
      }
    }
  }
}

TEST_F(Mx9PackU8, TheWidestRow) {
  ASSERT_TRUE(conversion->init(1));
  constexpr std::size_t channels = 2;
  constexpr std::size_t width = kernels::mx::kMostPictureRowBytes / channels;
  std::vector<std::uint8_t> picture(2 * channels * width);
  picture[channels * width + 3] = 9;      // channel 1 of pixel 1 in row 1
  picture[2 * channels * width - 1] = 7;  // the last channel of the last pixel
  std::vector<Block> blocks(width / 2);
  ASSERT_TRUE(mx9_pack_u8_space_to_depth(picture, channels, 2, width, *conversion, blocks));
  EXPECT_EQ(bytes_of(blocks.front()), quantised({0, 0, 0, 0, 0, 0, 0, 9}));
  EXPECT_EQ(bytes_of(blocks.back()), quantised({0, 0, 0, 0, 0, 0, 0, 7}));
  EXPECT_EQ(std::count(blocks.begin(), blocks.end(), Block()), static_cast<std::ptrdiff_t>(width / 2 - 2));
}

void expect_refused(const Status &status, ErrorCode code, const char *what, std::int64_t value, std::int64_t limit) {
  EXPECT_EQ(status.code(), code);
  EXPECT_STREQ(status.what(), what);
  EXPECT_EQ(status.value(), value);
  EXPECT_EQ(status.limit(), limit);
}

TEST_F(Mx9PackU8, RefusesScalesWithoutNumbers) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float largest = std::numeric_limits<float>::max();
  for (const float scale : {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), largest / 254}) {
    expect_refused(conversion->init(scale), ErrorCode::invalid_argument, "scale", 0, 0);
  }
  for (const float offset : {infinity, std::numeric_limits<float>::quiet_NaN()}) {
    expect_refused(conversion->init(1, offset), ErrorCode::invalid_argument, "offset", 0, 0);
  }
  expect_refused(conversion->init(largest / 256, largest / 2), ErrorCode::invalid_argument, "offset", 0, 0);
  ASSERT_TRUE(conversion->init(largest / 256, 0));
}

TEST_F(Mx9PackU8, RefusesAConversionThatIsNotReady) {
  const std::vector<std::uint8_t> values(24);
  std::vector<Block> blocks(2, kUntouched);
  const std::vector<Block> before = blocks;
  expect_refused(mx9_pack_u8(std::span(values).first(16), *conversion, std::span(blocks).first(1)), ErrorCode::not_ready, "conversion", 0,
                 0);
  ASSERT_TRUE(conversion->init(1));
  ASSERT_FALSE(conversion->init(std::numeric_limits<float>::infinity()));
  expect_refused(mx9_pack_u8_space_to_depth(values, 3, 2, 4, *conversion, blocks), ErrorCode::not_ready, "conversion", 0, 0);
  EXPECT_EQ(blocks, before);
}

TEST_F(Mx9PackU8, RefusesWrongSizes) {
  ASSERT_TRUE(conversion->init(1));
  const std::vector<std::uint8_t> values(72);
  const std::span all(values);
  std::vector<Block> blocks(6, kUntouched);
  const std::vector<Block> before = blocks;
  const auto refused = [](const Status &status, const char *what, std::int64_t value, std::int64_t limit) {
    expect_refused(status, ErrorCode::invalid_argument, what, value, limit);
  };
  refused(mx9_pack_u8(all.first(31), *conversion, std::span(blocks).first(2)), "values", 31, 16);
  refused(mx9_pack_u8(all.first(32), *conversion, blocks), "blocks", 6, 2);
  const auto space_to_depth = [&](std::size_t channels, std::size_t height, std::size_t width, std::size_t count) {
    return mx9_pack_u8_space_to_depth(all, channels, height, width, *conversion, std::span(blocks).first(count));
  };
  refused(space_to_depth(0, 4, 6, 6), "channels", 0, 4);
  refused(space_to_depth(5, 4, 6, 6), "channels", 5, 4);
  refused(space_to_depth(3, 5, 6, 6), "height", 5, 2);
  refused(space_to_depth(3, 4, 7, 6), "width", 7, 2);
  refused(space_to_depth(4, 4, 6, 6), "picture", 72, 96);
  refused(space_to_depth(3, 4, 6, 5), "blocks", 5, 6);
  EXPECT_EQ(blocks, before);
}

TEST_F(Mx9PackU8, RefusesRowsThatAreTooLong) {
  ASSERT_TRUE(conversion->init(1));
  const std::size_t width = kernels::mx::kMostPictureRowBytes / 4 + 2;
  const std::vector<std::uint8_t> picture(2 * width * 4);
  std::vector<Block> blocks(width / 2, kUntouched);
  expect_refused(mx9_pack_u8_space_to_depth(picture, 4, 2, width, *conversion, blocks), ErrorCode::invalid_argument, "width",
                 static_cast<std::int64_t>(width), static_cast<std::int64_t>(width - 2));
  EXPECT_EQ(blocks, std::vector<Block>(blocks.size(), kUntouched));
}

TEST_F(Mx9PackU8, RefusesAPictureAtAnOddAddress) {
  ASSERT_TRUE(conversion->init(1));
  const std::vector<std::uint16_t> memory(13);
  const std::span odd(reinterpret_cast<const std::uint8_t *>(memory.data()) + 1, 24);
  std::vector<Block> blocks(2, kUntouched);
  expect_refused(mx9_pack_u8_space_to_depth(odd, 3, 2, 4, *conversion, blocks), ErrorCode::misaligned_address, "picture",
                 signed_of(reinterpret_cast<std::uintptr_t>(odd.data())), 2);
  EXPECT_EQ(blocks, std::vector<Block>(2, kUntouched));
  EXPECT_TRUE(mx9_pack_u8(odd.first(16), *conversion, std::span(blocks).first(1)));
}

TEST_F(Mx9PackU8, RefusesOverlap) {
  ASSERT_TRUE(conversion->init(1));
  std::vector<std::uint16_t> memory(64, 0x0101);
  const std::vector<std::uint16_t> before = memory;
  const std::span values(reinterpret_cast<std::uint8_t *>(memory.data()), 32);
  const std::span<Block> inside(reinterpret_cast<Block *>(memory.data() + 15), 2);
  EXPECT_EQ(mx9_pack_u8(values, *conversion, inside).code(), ErrorCode::tensor_overlap);
  EXPECT_EQ(mx9_pack_u8_space_to_depth(values.first(24), 3, 2, 4, *conversion, {inside.data() - 1, 2}).code(), ErrorCode::tensor_overlap);
  EXPECT_EQ(memory, before);
}

}  // namespace pack_u8_test
}  // namespace cox::mx9
