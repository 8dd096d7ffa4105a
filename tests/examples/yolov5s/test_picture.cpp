// SPDX-License-Identifier: MIT
// Tests how pictures are read, refused, made and scaled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/picture.h"
#include "examples/yolov5s/host/random.h"

namespace cox::yolov5s {
namespace test_picture {

using testing::HasSubstr;

std::vector<std::byte> bytes_of(const std::string &text) {
  std::vector<std::byte> bytes(text.size());
  std::transform(text.begin(), text.end(), bytes.begin(), [](char character) { return static_cast<std::byte>(character); });
  return bytes;
}
std::string refusal(const std::string &text) {
  try {
    (void)parse_ppm(bytes_of(text));
  } catch (const FileError &error) {
    return error.what();
  }
  return "";
}

TEST(Ppm, IsReadWithComments) {
  const Picture picture = parse_ppm(bytes_of("P6 # made by hand\n2 1\n255\nabcdef"));
  EXPECT_EQ(picture.width, 2U);
  EXPECT_EQ(picture.height, 1U);
  EXPECT_THAT(picture.pixels, testing::ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
}

TEST(Ppm, IsRefusedByName) {
  EXPECT_THAT(refusal("P5\n1 1\n255\na"), HasSubstr("not a binary PPM"));
  EXPECT_THAT(refusal("P6\n"), HasSubstr("wants a number"));
  EXPECT_THAT(refusal("P6\n1 1\n65535\nabcdef"), HasSubstr("255 levels"));
  EXPECT_THAT(refusal("P6\n0 1\n255\n"), HasSubstr("0 x 1"));
  EXPECT_THAT(refusal("P6\n99999999999 1\n255\n"), HasSubstr("picture:"));
  EXPECT_THAT(refusal("P6\n2 2\n255\nabc"), HasSubstr("3 bytes of pixels, 12 are wanted"));
  EXPECT_THAT(refusal("P6\n1 1\n255"), HasSubstr("does not end in a space"));
}

TEST(Ppm, ReadsWhatItWrites) {
  const Picture picture = synthetic_scene(3, 24, 40).picture;
  const Picture again = parse_ppm(write_ppm(picture));
  EXPECT_EQ(again.width, 40U);
  EXPECT_EQ(again.pixels, picture.pixels);
}

TEST(Letterbox, CentresOnGrey) {
  const Picture picture{1, 2, {10, 20, 30, 10, 20, 30}};
  const Picture box = letterbox(picture, 64, 64);  // the picture becomes 64 wide and 32 high, with 16 rows of border above and below
  const auto pixel = [&box](std::uint32_t row, std::uint32_t column) {
    const auto *first = box.pixels.data() + 3 * (row * 64 + column);
    return std::vector<int>{first[0], first[1], first[2]};
  };
  EXPECT_THAT(pixel(15, 0), testing::ElementsAre(114, 114, 114));
  EXPECT_THAT(pixel(16, 0), testing::ElementsAre(10, 20, 30));
  EXPECT_THAT(pixel(47, 63), testing::ElementsAre(10, 20, 30));
  EXPECT_THAT(pixel(48, 63), testing::ElementsAre(114, 114, 114));
}

TEST(Letterbox, LeavesAPictureOfTheSameSizeAlone) {
  const Picture picture = synthetic_scene(1, 64, 96).picture;
  EXPECT_EQ(letterbox(picture, 64, 96).pixels, picture.pixels);
}

TEST(Planes, AreOneForEachColour) {
  const std::vector<float> planes = planes_of(std::vector<std::uint8_t>{0, 51, 255, 102, 153, 204});
  EXPECT_THAT(planes, testing::ElementsAre(0.0F, 0.4F, 0.2F, 0.6F, 1.0F, 0.8F));
}

// The expected number follows from the published C sources. With seed 0, state word s[1] is the second output of splitmix64, and the first
// output of xoshiro256** is rotl(s[1] * 5, 7) * 9.
TEST(Random, IsXoshiroSeededWithSplitmix) {
  const std::uint64_t second_word = 0x6E789E6AA1B965F4U;
  const std::uint64_t product = second_word * 5;
  EXPECT_EQ(Random(0).next(), (product << 7 | product >> 57) * 9);
}

TEST(Random, NormalHasItsMoments) {
  Random random(9);
  double sum = 0;
  double squares = 0;
  constexpr int kCount = 200'000;
  for (int i = 0; i < kCount; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);  // the tolerance is 4.5 standard errors
  EXPECT_NEAR(squares / kCount, 1, 0.015);
}

}  // namespace test_picture
}  // namespace cox::yolov5s
