// SPDX-License-Identifier: MIT
// Tests how boxes follow from head outputs. Compares decoding with values worked out by hand, and suppression with a slow implementation.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "examples/yolov5s/detect.h"

namespace cox::yolov5s {
namespace {

/// A scale without detections, except those that the test puts in.
struct Head {
  std::uint32_t height, width;
  std::vector<float> values = std::vector<float>(std::size_t{kHeadChannels} * height * width);

  float operator()(std::uint32_t channel, std::uint32_t pixel) const { return values[std::size_t{channel} * height * width + pixel]; }
  void put(std::uint32_t anchor, std::uint32_t pixel, std::array<float, 4> place, float objectness, std::uint32_t number, float share) {
    const auto set = [&](std::uint32_t value, float number_set) {
      values[std::size_t{anchor * kValues + value} * height * width + pixel] = number_set;
    };
    for (std::uint32_t i = 0; i < 4; ++i) set(i, place[i]);
    set(4, objectness);
    set(5 + number, share);
  }
};

std::vector<Box> detect(const std::vector<Head> &heads, std::uint32_t *candidates = nullptr) {
  const auto detector = std::make_unique<Detector>();
  detector->start(0.25F, 0.45F);
  for (std::uint32_t scale = 0; scale < heads.size(); ++scale)
    detector->add_scale(scale, heads[scale].height, heads[scale].width, heads[scale]);
  const auto boxes = detector->finish();
  if (candidates != nullptr) *candidates = detector->candidates();
  return {boxes.begin(), boxes.end()};
}

TEST(Decode, IsTheFormulaOfTheDetectModule) {
  // Scale 1 has stride 16. Anchor 2 has 59 x 119 pixels. The element is in row 3 and column 5.
  // centre = (2 * 0.75 - 0.5 + column 5) * 16 = 96 and (2 * 0.25 - 0.5 + row 3) * 16 = 48
  // width = (2 * 0.5)^2 * 59 = 59
  // height = (2 * 0.25)^2 * 119 = 29.75
  Head head{8, 8};
  head.put(2, 3 * 8 + 5, {0.75F, 0.25F, 0.5F, 0.25F}, 0.5F, 17, 0.75F);
  const std::vector<Box> boxes = detect({{2, 2}, head});
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_FLOAT_EQ(boxes[0].x1, 96.0F - 29.5F);
  EXPECT_FLOAT_EQ(boxes[0].x2, 96.0F + 29.5F);
  EXPECT_FLOAT_EQ(boxes[0].y1, 48.0F - 14.875F);
  EXPECT_FLOAT_EQ(boxes[0].y2, 48.0F + 14.875F);
  EXPECT_FLOAT_EQ(boxes[0].score, 0.375F);
  EXPECT_EQ(boxes[0].class_number, 17U);
}

TEST(Detect, DropsScoresAtTheLimitAndNan) {
  Head head{2, 2};
  head.put(0, 0, {0.5F, 0.5F, 0.5F, 0.5F}, 0.5F, 1, 0.5F);  // the score 0.25 is not above the limit
  head.put(0, 1, {0.5F, 0.5F, 0.5F, 0.5F}, NAN, 1, 1.0F);
  head.put(0, 2, {0.5F, 0.5F, 0.5F, 0.5F}, 1.0F, 1, NAN);
  EXPECT_TRUE(detect({head}).empty());
}

TEST(Detect, KeepsOverlapsOfOtherClassesAndRanksEqualScoresAsTheyCame) {
  // The boxes of the two neighbours are 8 pixels apart, so intersection / union = (40 - 8) / (40 + 8) = 0.67.
  Head head{1, 2};
  const std::array<float, 4> large{0.5F, 0.5F, 1.0F, 1.0F};  // a box of 40 x 52
  head.put(0, 0, large, 1.0F, 3, 0.5F);
  head.put(0, 1, large, 1.0F, 3, 0.5F);
  std::vector<Box> boxes = detect({head});
  ASSERT_EQ(boxes.size(), 1U);
  EXPECT_FLOAT_EQ(boxes[0].x1 + boxes[0].x2, 8.0F);  // the first pixel's box
  head.put(0, 1, large, 1.0F, 2, 0.5F);              // now classes 2 and 3 have the same score, and class 2 counts
  EXPECT_EQ(detect({head}).size(), 2U);
}

double overlap(const Box &a, const Box &b) {
  const double w = std::max(0.0, double{std::min(a.x2, b.x2)} - double{std::max(a.x1, b.x1)});
  const double h = std::max(0.0, double{std::min(a.y2, b.y2)} - double{std::max(a.y1, b.y1)});
  return w * h / ((double{a.x2} - a.x1) * (double{a.y2} - a.y1) + (double{b.x2} - b.x1) * (double{b.y2} - b.y1) - w * h);
}

/// Repeatedly takes the best remaining box and removes all boxes that it suppresses.
std::vector<Box> slow_suppression(std::vector<Box> left) {
  std::vector<Box> kept;
  while (!left.empty() && kept.size() < kMostBoxes) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < left.size(); ++i) best = left[i].score > left[best].score ? i : best;
    const Box box = left[best];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    std::erase_if(left, [&box](const Box &other) { return other.class_number == box.class_number && overlap(box, other) > 0.45; });
    kept.push_back(box);
  }
  return kept;
}

TEST(Detect, SuppressesAsASlowOneDoes) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
  std::size_t suppressed = 0;
  for (int round = 0; round < 30; ++round) {
    std::vector<Head> heads{{12, 16}, {6, 8}, {3, 4}};
    std::vector<Box> candidates;
    const float density = round < 25 ? 0.3F : 1.0F;
    for (std::uint32_t scale = 0; scale < 3; ++scale) {
      Head &head = heads[scale];
      for (std::uint32_t anchor = 0; anchor < kAnchors; ++anchor) {
        for (std::uint32_t pixel = 0; pixel < head.height * head.width; ++pixel) {
          if (uniform(random) >= density) continue;
          const std::array<float, 4> place{uniform(random), uniform(random), uniform(random), uniform(random)};
          const auto number = static_cast<std::uint32_t>(random() % 3);
          // Scores have coarse steps, so that many are equal.
          const float objectness = static_cast<float>(1 + random() % 16) / 16.0F;
          head.put(anchor, pixel, place, objectness, number, 1.0F);
          if (!(objectness > 0.25F)) continue;
          Box box = decode(scale, anchor, pixel / head.width, pixel % head.width, place[0], place[1], place[2], place[3]);
          box.score = objectness;
          box.class_number = number;
          candidates.push_back(box);
        }
      }
    }
    std::uint32_t offered = 0;
    const std::vector<Box> got = detect(heads, &offered);
    const std::vector<Box> wanted = slow_suppression(candidates);
    EXPECT_EQ(offered, candidates.size());
    ASSERT_EQ(got.size(), wanted.size());
    suppressed += candidates.size() - got.size();
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].score, wanted[i].score);
      EXPECT_EQ(got[i].class_number, wanted[i].class_number);
      EXPECT_EQ(got[i].x1, wanted[i].x1);
      EXPECT_EQ(got[i].y2, wanted[i].y2);
    }
  }
  EXPECT_GT(suppressed, 500U);
}

TEST(Detect, KeepsTheBestOfMoreCandidatesThanItHolds) {
  // The boxes of the 64 x 64 pixels, with 3 anchors each, do not overlap: 12,288 candidates. Their scores are 12,288 different values in
  // random order.
  Head head{64, 64};
  std::vector<std::uint32_t> order(12288);
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    head.put(i / 4096, i % 4096, {0.5F, 0.5F, 0.1F, 0.1F}, 0.5F + static_cast<float>(order[i]) / 65536.0F, i / 4096, 1.0F);
  }
  std::uint32_t offered = 0;
  const std::vector<Box> boxes = detect({head}, &offered);
  EXPECT_EQ(offered, 12288U);
  ASSERT_EQ(boxes.size(), kMostBoxes);
  for (std::uint32_t i = 0; i < kMostBoxes; ++i) EXPECT_EQ(boxes[i].score, 0.5F + static_cast<float>(12287 - i) / 65536.0F);
}

TEST(DeviceValues, ReadsElementsAsTheBlockIsDefined) {
  std::array<isa::mx::Block, 32> blocks{};  // 16 channel blocks of 2 pixels
  std::mt19937 random(5);
  for (isa::mx::Block &block : blocks) {
    block.exponent = static_cast<std::uint8_t>(100 + random() % 40);
    block.pair_shift = static_cast<std::uint8_t>(random());
    for (std::uint8_t &element : block.elements) element = static_cast<std::uint8_t>(random());
  }
  blocks[3].exponent = 0;
  const DeviceValues values{blocks.data(), 2};
  for (std::uint32_t channel = 0; channel < 255; ++channel) {
    for (std::uint32_t pixel = 0; pixel < 2; ++pixel) {
      std::array<float, 16> all{};
      isa::mx::dequantise(blocks[channel / 16 * 2 + pixel], all);
      EXPECT_EQ(values(channel, pixel), all[channel % 16]) << channel;
    }
  }
  blocks[0].exponent = isa::mx::kNanExponent;
  EXPECT_TRUE(values(0, 0) != values(0, 0));
}

/// The same values without DeviceValues' comparisons of elements.
struct PlainValues {
  DeviceValues values;
  float operator()(std::uint32_t channel, std::uint32_t pixel) const { return values(channel, pixel); }
};

/// Blocks of 16 x 16 channels whose exponents are `least` to `least` + `range` - 1, with some zeros and NaNs. One block in `sign` has
/// negative elements.
std::vector<isa::mx::Block> random_blocks(std::mt19937 &random, std::uint32_t pixels, unsigned least, unsigned range, unsigned sign) {
  std::vector<isa::mx::Block> blocks(std::size_t{16} * pixels);
  for (isa::mx::Block &block : blocks) {
    block.exponent = static_cast<std::uint8_t>(least + random() % range);
    if (random() % 50 == 0) block.exponent = random() % 2 == 0 ? 0 : isa::mx::kNanExponent;
    block.pair_shift = static_cast<std::uint8_t>(random());
    const unsigned mask = random() % sign == 0 ? 0xFF : 0x7F;
    for (std::uint8_t &element : block.elements) element = static_cast<std::uint8_t>(random() & mask);
  }
  return blocks;
}

TEST(DeviceValues, GiveTheCandidatesOfPlainValues) {
  std::mt19937 random(17);
  const auto fast = std::make_unique<Detector>();
  const auto plain = std::make_unique<Detector>();
  std::size_t candidates = 0;
  const std::vector<std::array<unsigned, 2>> exponents{{125, 3}, {118, 10}, {0, 16}, {1, 253}, {240, 15}};
  const std::vector<float> limits{0.25F, 0.0F, 0.5F, 0.9F, 1.0F / 64, 3.0F, -0.5F, 0x1p-119F, 0x1p-140F, 0x1.fep127F, INFINITY, NAN};
  for (const float limit : limits) {
    for (const auto &[least, range] : exponents) {
      for (int round = 0; round < 4; ++round) {
        constexpr std::uint32_t kHeight = 9;
        constexpr std::uint32_t kWidth = 11;
        const std::vector<isa::mx::Block> blocks = random_blocks(random, kHeight * kWidth, least, range, 3);
        const DeviceValues values{blocks.data(), kHeight * kWidth};
        for (Detector *detector : {fast.get(), plain.get()}) detector->start(limit, 0.45F);
        for (std::uint32_t scale = 0; scale < 2; ++scale) {
          fast->add_scale(scale, kHeight, kWidth, values);
          plain->add_scale(scale, kHeight, kWidth, PlainValues{values});
        }
        ASSERT_EQ(fast->candidates(), plain->candidates()) << limit << " " << least;
        candidates += fast->candidates();
        const auto got = fast->finish();
        const auto wanted = plain->finish();
        ASSERT_EQ(got.size(), wanted.size());
        ASSERT_EQ(std::memcmp(got.data(), wanted.data(), got.size_bytes()), 0) << limit << " " << least;
      }
    }
  }
  EXPECT_GT(candidates, 5000U);
}

/// Every mantissa, D bit and exponent near limits that an element can or cannot have.
TEST(ScoreLimit, IsTheLeastMantissaAbove) {
  for (const float value : {0.0F, 0x1p-149F, 0x1p-126F, 0.25F, 0.2501F, 0.24999F, 0.9921875F, 1.0F, 100.0F, 0x1.fcp127F}) {
    const ScoreLimit limit(value);
    ASSERT_TRUE(limit.fits_elements());
    isa::mx::Block block;
    const DeviceValues values{&block, 1};
    for (unsigned exponent = 0; exponent < 256; ++exponent) {
      for (unsigned shift = 0; shift < 2; ++shift) {
        for (unsigned mantissa = 0; mantissa < 128; ++mantissa) {
          block.exponent = static_cast<std::uint8_t>(exponent);
          block.pair_shift = static_cast<std::uint8_t>(shift << 3);
          block.elements[6] = static_cast<std::uint8_t>(mantissa);
          ASSERT_EQ(mantissa >= limit.least(exponent, shift), values(6, 0) > value) << value << " " << exponent << " " << mantissa;
          ASSERT_EQ(values.next_above(6, 0, limit), values(6, 0) > value ? 0U : 1U);
        }
      }
    }
  }
  EXPECT_FALSE(ScoreLimit(-0.1F).fits_elements());
  EXPECT_FALSE(ScoreLimit(NAN).fits_elements());
}

}  // namespace
}  // namespace cox::yolov5s
