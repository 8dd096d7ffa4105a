// SPDX-License-Identifier: MIT
// Tests the folding of normalisation into weights, and which contents a weight file must have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "examples/yolov5s/host/error.h"
#include "examples/yolov5s/host/weights.h"

namespace cox::yolov5s {
namespace test_weights {

using testing::HasSubstr;

Convolution small() {
  Convolution convolution;
  convolution.name = Name("model.1.conv");
  convolution.input_channels = 2;
  convolution.output_channels = 3;
  return convolution;
}

std::vector<NamedTensor> normalised() {
  return {{"model.1.conv.weight", {3, 2, 1, 1}, {1, 2, 3, 4, 5, 6}},
          {"model.1.bn.weight", {3}, {1, 2, -1}},
          {"model.1.bn.bias", {3}, {0, 1, 2}},
          {"model.1.bn.running_mean", {3}, {0.5F, -1, 3}},
          {"model.1.bn.running_var", {3}, {0.999F, 3.999F, 0}}};
}

ConvolutionWeights read(const std::vector<NamedTensor> &tensors) {
  return read_convolution(Safetensors::parse(write_safetensors(tensors)), small());
}
std::string refusal(const std::vector<NamedTensor> &tensors) {
  try {
    (void)read(tensors);
  } catch (const FileError &error) {
    return error.what();
  }
  return "";
}

// Compares convolution and normalisation in double precision with the folded convolution, on random inputs.
TEST(Weights, FoldDoesWhatNormalisationDoes) {
  const std::vector<NamedTensor> tensors = normalised();
  const ConvolutionWeights folded = read(tensors);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 100; ++round) {
    const double input[2] = {normal(random), normal(random)};
    for (std::size_t output = 0; output < 3; ++output) {
      const auto of = [&](std::size_t tensor, std::size_t i) { return double{tensors[tensor].values[i]}; };
      const double plain = of(0, 2 * output) * input[0] + of(0, 2 * output + 1) * input[1];
      const double wanted = (plain - of(3, output)) / std::sqrt(of(4, output) + 1e-3) * of(1, output) + of(2, output);
      const double got =
          double{folded.weights[2 * output]} * input[0] + double{folded.weights[2 * output + 1]} * input[1] + double{folded.biases[output]};
      EXPECT_NEAR(got, wanted, 1e-5 * (1 + std::fabs(wanted)));
    }
  }
}

TEST(Weights, FoldTakesTheBiasOfTheConvolutionIn) {
  std::vector<NamedTensor> tensors = normalised();
  const ConvolutionWeights without = read(tensors);
  tensors.push_back({"model.1.conv.bias", {3}, {10, 20, 30}});
  const ConvolutionWeights with = read(tensors);
  EXPECT_NEAR(with.biases[0] - without.biases[0], 10, 1e-4);          // gamma / sqrt(variance + 0.001) is 1
  EXPECT_NEAR(with.biases[1] - without.biases[1], 20 * 2 / 2, 1e-4);  // gamma is 2, and sqrt(variance + 0.001) is 2
}

TEST(Weights, AreTakenAsTheyAreWhereTheyAreFoldedAlready) {
  const ConvolutionWeights weights =
      read({{"model.1.conv.weight", {3, 2, 1, 1}, {1, 2, 3, 4, 5, 6}}, {"model.1.conv.bias", {3}, {7, 8, 9}}});
  EXPECT_THAT(weights.weights, testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(weights.biases, testing::ElementsAre(7, 8, 9));
}

TEST(Weights, NameTheTensorThatIsMissingOrWrong) {
  EXPECT_THAT(refusal({}), HasSubstr("no tensor model.1.conv.weight"));
  EXPECT_THAT(refusal({{"model.1.conv.weight", {3, 2, 3, 3}, std::vector<float>(54)}}), HasSubstr("[3, 2, 3, 3], not [3, 2, 1, 1]"));
  EXPECT_THAT(refusal({{"model.1.conv.weight", {3, 2, 1, 1}, std::vector<float>(6)}}), HasSubstr("neither model.1.conv.bias nor"));
  for (std::size_t missing : {1U, 2U, 4U}) {
    std::vector<NamedTensor> tensors = normalised();
    const std::string name = tensors[missing].name;
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(missing));
    EXPECT_THAT(refusal(tensors), HasSubstr("no tensor " + name));
  }
}

TEST(Weights, RefuseNumbersThatCannotBe) {
  std::vector<NamedTensor> tensors = normalised();
  tensors[0].values[4] = NAN;
  EXPECT_THAT(refusal(tensors), HasSubstr("model.1.conv.weight[4] is not finite"));
  tensors = normalised();
  tensors[4].values[1] = -0.5F;
  EXPECT_THAT(refusal(tensors), HasSubstr("negative variance"));
  tensors = normalised();
  tensors[0].values[5] = 3e38F;  // finite, but folding multiplies it by gamma / sqrt(0.001), about -31.6
  EXPECT_THAT(refusal(tensors), HasSubstr("folded[5] is not finite"));
}

TEST(Weights, OfTheFirstConvolutionAreSixBySixInTheFile) {
  const std::vector<Convolution> list = convolutions();
  ASSERT_EQ(list.size(), kConvolutions);
  EXPECT_THAT(file_shape(list[0]), testing::ElementsAre(32, 3, 6, 6));
  EXPECT_THAT(file_shape(list[1]), testing::ElementsAre(64, 32, 3, 3));
}

}  // namespace test_weights
}  // namespace cox::yolov5s
