// SPDX-License-Identifier: MIT
// Tests how a run is compared with the reference: first on figures worked out by hand, then on a complete run, from a seed to a report. In
// the complete run the model's arithmetic takes the place of a board.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "examples/yolov5s/host/compare.h"
#include "examples/yolov5s/host/emulate.h"
#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/evaluate.h"
#include "examples/yolov5s/host/picture.h"
#include "examples/yolov5s/host/random_weights.h"

namespace cox::yolov5s {
namespace {

TEST(SignalToNoise, IsTenLogarithmsOfThePowers) {
  const std::vector<float> wanted{3, 4};  // signal power 3^2 + 4^2 = 25
  const std::vector<float> got{3, 4.5F};  // noise power 0.5^2 = 0.25
  EXPECT_NEAR(signal_to_noise(wanted, got), 20, 1e-9);
  EXPECT_TRUE(std::isinf(signal_to_noise(wanted, wanted)));
  EXPECT_TRUE(std::isnan(signal_to_noise(wanted, std::vector<float>{3, NAN})));
}

TEST(MatchBoxes, IsOneToOneWithinAClass) {
  const Box box{0, 0, 100, 100, 0.9F, 1};
  const Box near{0, 0, 100, 91, 0.8F, 1};  // overlap 0.91
  const Box far{0, 0, 100, 89, 0.8F, 1};   // overlap 0.89
  const Box other{0, 0, 100, 100, 0.9F, 2};
  EXPECT_EQ(match_boxes(std::vector{box}, std::vector{near}), 1U);
  EXPECT_EQ(match_boxes(std::vector{box}, std::vector{far}), 0U);
  EXPECT_EQ(match_boxes(std::vector{box}, std::vector{other}), 0U);
  EXPECT_EQ(match_boxes(std::vector{box, box}, std::vector{near}), 1U);
  EXPECT_EQ(match_boxes(std::vector{box, box}, std::vector{near, box}), 2U);
}

TEST(Comparison, NamesEachBoundThatIsMissed) {
  Comparison comparison;
  comparison.layers = {{.name = "a", .alone = 30.5, .accumulated = 5},
                       {.name = "b", .alone = 29, .accumulated = 30},
                       {.name = "c", .alone = NAN, .accumulated = 19, .is_output = true}};
  comparison.wanted_boxes = 20;
  comparison.got_boxes = 20;
  comparison.matched_boxes = 19;
  EXPECT_THAT(comparison.misses(), testing::ElementsAre(testing::HasSubstr("b: 29.0 dB on"), testing::HasSubstr("c: nan dB on"),
                                                        testing::HasSubstr("c: 19.0 dB accumulated")));
  comparison.layers.clear();
  comparison.got_boxes = 21;
  EXPECT_THAT(comparison.misses(), testing::ElementsAre(testing::HasSubstr("19 of 21 boxes")));
}

class WholeWay : public testing::Test {
 protected:
  static constexpr std::uint32_t kHeight = 256, kWidth = 320;

  static void SetUpTestSuite() {
    weights_ = new Weights(read_weights(Safetensors::parse(write_safetensors(random_weights(1)))));
    dram_ = new DramImage(DramImage::lay_out(std::uint64_t{128} << 20, kHeight, kWidth,
                                             synthetic_scene(4, kHeight, kWidth, 12).picture.pixels, pack(*weights_)));
    emulate(*dram_);
  }
  static void TearDownTestSuite() {
    delete weights_;
    delete dram_;
  }

  static Weights *weights_;
  static DramImage *dram_;
};

Weights *WholeWay::weights_ = nullptr;
DramImage *WholeWay::dram_ = nullptr;

TEST_F(WholeWay, MeetsItsBoundsOnEveryLayer) {
  const Comparison comparison = compare(*dram_, *weights_);
  ASSERT_EQ(comparison.layers.size(), kLayers);
  unsigned outputs = 0;
  for (const LayerComparison &layer : comparison.layers) {
    EXPECT_GT(layer.alone, kLeastLayerDecibels) << layer.name;
    if (!layer.is_output) continue;
    EXPECT_GT(layer.accumulated, kLeastOutputDecibels) << layer.name;
    ++outputs;
  }
  EXPECT_EQ(outputs, 2 * kScales);
  EXPECT_TRUE(comparison.boxes_are_decoded);
  EXPECT_GT(comparison.wanted_boxes, 10U);
  EXPECT_GE(comparison.matched_share(), 0.9);  // with few boxes in the picture, each one has a large weight
}

TEST_F(WholeWay, SeesOneLayerThatWentWrong) {
  DramImage broken = *dram_;
  constexpr std::uint32_t kLayer = 20;
  const LayerRecord &record = broken.data().layers[kLayer];
  // Adds 1 to the exponent of every block of layer kLayer's output. This doubles all numbers of the output.
  const std::uint64_t blocks = std::uint64_t{isa::mx::blocks_of(record.channels)} * record.height * record.width;
  const auto bytes = broken.at(record.address, blocks * isa::mx::kBlockBytes, "the layer");
  for (std::size_t i = 0; i < bytes.size(); i += isa::mx::kBlockBytes)
    bytes[i] = static_cast<std::byte>(std::to_integer<unsigned>(bytes[i]) + 1);
  const Comparison comparison = compare(broken, *weights_);
  EXPECT_LT(comparison.layers[kLayer].alone, 10);
  EXPECT_GT(comparison.layers[kLayer - 1].alone, kLeastLayerDecibels);
}

TEST_F(WholeWay, SeesBoxesThatAreNotDecodedFromTheOutputs) {
  DramImage broken = *dram_;
  broken.data().detection.boxes[3].x1 += 1;
  EXPECT_FALSE(compare(broken, *weights_).boxes_are_decoded);
}

TEST_F(WholeWay, SeesOtherBoxesOfTheFirstFrame) {
  DramImage broken = *dram_;
  EXPECT_TRUE(compare(broken, *weights_).frames_agree);
  broken.data().frames[0].boxes[2].score += 1;
  const Comparison comparison = compare(broken, *weights_);
  EXPECT_TRUE(comparison.boxes_are_decoded);
  EXPECT_FALSE(comparison.frames_agree);
  EXPECT_THAT(comparison.misses(), testing::Contains(testing::HasSubstr("first of the pictures in a row")));
}

TEST_F(WholeWay, RefusesRecordsThatContradictTheNetwork) {
  const auto refusal = [](DramImage dram) -> std::string {
    try {
      (void)compare(dram, *weights_);
    } catch (const FileError &error) {
      return error.what();
    }
    return "";
  };
  DramImage broken = *dram_;
  broken.data().layers[7].address = 0xFFFFFFFFFFFFFFF0U;
  EXPECT_THAT(refusal(broken), testing::HasSubstr("outside of"));
  broken = *dram_;
  broken.data().layers[7].channels = 999;
  EXPECT_THAT(refusal(broken), testing::HasSubstr("another layer"));
  broken = *dram_;
  broken.data().layer_count = 1000;
  EXPECT_THAT(refusal(broken), testing::HasSubstr("1000 layers"));
  broken = *dram_;
  broken.data().detection.box_count = 1000;
  EXPECT_THAT(refusal(broken), testing::HasSubstr("1000 boxes"));
  broken = *dram_;
  broken.data().frames[0].box_count = 301;
  EXPECT_THAT(refusal(broken), testing::HasSubstr("301 boxes"));
  broken = *dram_;
  broken.data().picture_count = 0;
  EXPECT_THAT(refusal(broken), testing::HasSubstr("0 pictures"));
  broken = *dram_;
  broken.data().height = 33;
  EXPECT_THAT(refusal(broken), testing::HasSubstr("height"));
  // The sizes of the image and of all layers agree, but the activations would need terabytes.
  broken = *dram_;
  constexpr std::uint32_t kFactor = 1U << 14;
  broken.data().height *= kFactor;
  broken.data().width *= kFactor;
  for (LayerRecord &record : broken.data().layers) {
    record.height *= kFactor;
    record.width *= kFactor;
  }
  EXPECT_THAT(refusal(broken), testing::HasSubstr("1 pictures of 4194304 x 5242880"));
  broken = *dram_;
  broken.data().head.state = State::packed;
  EXPECT_THAT(refusal(broken), testing::HasSubstr("not that of a run which ended"));
  broken.data().head.state = State::failed;
  std::fill(std::begin(broken.data().error_text), std::end(broken.data().error_text), 'x');
  EXPECT_THAT(refusal(broken), testing::HasSubstr("failed: xxx"));
}

// Compares oneDNN's 6x6 convolution of the image with the 3x3 convolution of the space-to-depth map.
TEST(Evaluate, FirstLayerIsTheSixBySixConvolution) {
  constexpr std::uint32_t kSide = 32;
  LayerList layers;
  ASSERT_TRUE(build(layers, kSide, kSide).ok());
  const Layer &layer = layers.layers()[0];
  ConvolutionWeights weights{std::vector<float>(std::size_t{32} * 3 * 36), std::vector<float>(32)};
  for (std::size_t i = 0; i < weights.weights.size(); ++i)
    weights.weights[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 64;
  for (std::size_t i = 0; i < 32; ++i) weights.biases[i] = static_cast<float>(i) / 8;
  const std::vector<float> image = planes_of(synthetic_scene(2, kSide, kSide, 2).picture.pixels);
  std::vector<float> map(image.size());
  space_to_depth(image, kSide, kSide, map);
  std::vector<float> got(std::size_t{32} * 16 * 16);
  Evaluator().layer(layer, map, {}, &weights, got);
  for (int output = 0; output < 32; ++output) {
    for (int row = 0; row < 16; ++row) {
      for (int column = 0; column < 16; ++column) {
        double sum = weights.biases[static_cast<std::size_t>(output)];
        for (int channel = 0; channel < 3; ++channel) {
          for (int y = 0; y < 6; ++y) {
            for (int x = 0; x < 6; ++x) {
              const int r = 2 * row + y - 2;
              const int c = 2 * column + x - 2;
              if (r < 0 || c < 0 || r >= 32 || c >= 32) continue;
              sum += double{image[static_cast<std::size_t>((channel * 32 + r) * 32 + c)]} *
                     double{weights.weights[static_cast<std::size_t>(((output * 3 + channel) * 6 + y) * 6 + x)]};
            }
          }
        }
        const double wanted = sum / (1 + std::exp(-sum));
        EXPECT_NEAR(got[static_cast<std::size_t>((output * 16 + row) * 16 + column)], wanted, 1e-4);
      }
    }
  }
}

}  // namespace
}  // namespace cox::yolov5s
