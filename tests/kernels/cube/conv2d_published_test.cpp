// SPDX-License-Identifier: MIT
// Published INT8 convolutions: CMSIS-NN's own test cases and the layers of trained networks (docs/testing.md). conv2d() computes the INT32
// sums. The padding has the value of the input's zero point. The test changes the biases so that the zero point cancels in each sum. The
// test also does TensorFlow Lite's fixed-point rounding, because the unit does not have it. Results must equal the published ones byte for
// byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/kernels/cube/conv2d_problem.h"

namespace cox::tests {
namespace {

using nlohmann::json;
using Bytes = std::vector<char>;

const std::string kRoot = std::string(COX_SHARED_DATA) + "/mlperf-tiny/";

Bytes read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}
json read_json(const std::string &path) { return json::parse(std::ifstream(path)); }

/// TensorFlow Lite's method: a saturating doubling high multiplication, then a division by a power of two that rounds halves away from
/// zero.
std::int32_t requantise(std::int32_t sum, std::int32_t multiplier, int shift) {
  const std::int64_t product = (std::int64_t{sum} << std::max(shift, 0)) * multiplier;
  const std::int64_t high = (product + (product >= 0 ? std::int64_t{1} << 30 : 1 - (std::int64_t{1} << 30))) / (std::int64_t{1} << 31);
  const int right = std::max(-shift, 0);
  const std::int64_t half = right == 0 ? 0 : std::int64_t{1} << (right - 1);
  return static_cast<std::int32_t>(high >= 0 ? (high + half) >> right : -((-high + half) >> right));
}

struct Layer {
  kernels::cube::Conv2dArguments call;
  std::int32_t input_offset = 0, output_offset = 0, least = 0, most = 0;
  std::vector<std::int32_t> multipliers;
  std::vector<int> shifts;
  Bytes input, weights, bias, expected;
  bool depthwise = false;
};

/// Reads members that have the same names in case.json and in the layers of a network's file.
void read_common(Layer &layer, const json &text, const json &input, const json &output, const json &stride, const json &dilation) {
  const json &weights = text["weight_shape"];
  kernels::cube::Conv2dArguments &call = layer.call;
  call.batch = input[0];
  call.height = input[1];
  call.width = input[2];
  call.channels = input[3];
  call.output_channels = output[3];
  call.kernel_height = weights[1];
  call.kernel_width = weights[2];
  call.stride_y = stride[0];
  call.stride_x = stride[1];
  call.dilation_y = dilation[0];
  call.dilation_x = dilation[1];
  call.groups = layer.depthwise ? call.channels : text.value("groups", 1U);
  layer.input_offset = text["input_offset"];
  layer.output_offset = text["output_offset"];
  layer.least = text["act_min"];
  layer.most = text["act_max"];
  layer.multipliers = text["multipliers"].get<std::vector<std::int32_t>>();
  layer.shifts = text["shifts"].get<std::vector<int>>();
}

/// Reorders published depthwise weights, [kernel row][kernel column][output channel], for conv2d().
Bytes channels_first(const Bytes &weights, std::size_t channels) {
  Bytes result(weights.size());
  const std::size_t places = weights.size() / channels;
  for (std::size_t place = 0; place < places; ++place) {
    for (std::size_t channel = 0; channel < channels; ++channel) result[channel * places + place] = weights[place * channels + channel];
  }
  return result;
}

void expect_published(Layer layer, const std::string &name) {
  SCOPED_TRACE(name);
  kernels::cube::Conv2dArguments &call = layer.call;
  if (layer.depthwise) layer.weights = channels_first(layer.weights, call.output_channels);
  call.output_type = isa::cube::OutputType::int32;
  call.pad_value = -layer.input_offset;
  call.bias = 1;
  std::mt19937 random;
  Conv2dProblem problem(call, random);
  ASSERT_EQ(problem.input.size(), layer.input.size());
  ASSERT_EQ(problem.weights.size(), layer.weights.size());
  std::memcpy(problem.input.data(), layer.input.data(), layer.input.size());
  std::memcpy(problem.weights.data(), layer.weights.data(), layer.weights.size());
  const std::size_t depth = layer.weights.size() / call.output_channels;
  for (std::size_t channel = 0; channel < call.output_channels; ++channel) {
    std::int32_t bias = 0;
    if (!layer.bias.empty()) std::memcpy(&bias, layer.bias.data() + channel * sizeof bias, sizeof bias);
    for (std::size_t i = 0; i < depth; ++i) bias += layer.input_offset * static_cast<signed char>(layer.weights[channel * depth + i]);
    std::memcpy(problem.bias.data() + channel * sizeof bias, &bias, sizeof bias);
  }
  problem.run();
  ASSERT_FALSE(testing::Test::HasFailure());
  const std::size_t count = layer.expected.size();
  ASSERT_EQ(std::size_t{call.batch} * problem.arguments.output_height * problem.arguments.output_width * call.output_channels, count);
  for (std::size_t i = 0; i < count; ++i) {
    std::int32_t sum = 0;
    std::memcpy(&sum, problem.output.data() + i * sizeof sum, sizeof sum);
    const std::size_t channel = i % call.output_channels;
    const std::int32_t result = requantise(sum, layer.multipliers[channel], layer.shifts[channel]) + layer.output_offset;
    ASSERT_EQ(std::clamp(result, layer.least, layer.most), static_cast<signed char>(layer.expected[i])) << "at " << i;
  }
}

TEST(PublishedConvolutions, CasesOfCmsisNn) {
  if (!std::filesystem::exists(kRoot + "cmsis_nn")) GTEST_SKIP() << "no published convolutions at " << COX_SHARED_DATA;
  unsigned cases = 0;
  for (const std::string operation : {"conv_s8", "depthwise_conv_s8"}) {
    for (const auto &entry : std::filesystem::directory_iterator(kRoot + "cmsis_nn/" + operation)) {
      const std::string folder = entry.path().string() + "/";
      const json text = read_json(folder + "case.json");
      Layer layer;
      layer.depthwise = operation == "depthwise_conv_s8";
      read_common(layer, text, text["input_shape"], text["output_shape"], text["stride_hw"], text["dilation_hw"]);
      layer.call.pad_top = text["pad_top_left"][0];
      layer.call.pad_left = text["pad_top_left"][1];
      layer.call.pad_bottom = text["pad_bottom_right"][0];
      layer.call.pad_right = text["pad_bottom_right"][1];
      layer.input = read_file(folder + "input.bin");
      layer.weights = read_file(folder + "weights.bin");
      if (text["has_bias"]) layer.bias = read_file(folder + "bias.bin");
      layer.expected = read_file(folder + "expected.bin");
      expect_published(std::move(layer), folder);
      ++cases;
    }
  }
  EXPECT_EQ(cases, 20U);
}

/// Runs each layer on the published output of the previous layer.
void expect_network(const std::string &name, unsigned convolutions) {
  const std::string text_path = kRoot + "nets/" + name + ".json";
  if (!std::filesystem::exists(text_path)) GTEST_SKIP() << "no published networks at " << COX_SHARED_DATA;
  const json network = read_json(text_path);
  const Bytes data = read_file(kRoot + "nets/" + name + ".weights.bin");
  const auto part = [&](const json &place) {
    const auto first = data.begin() + place["offset"].get<std::ptrdiff_t>();
    return Bytes(first, first + place["bytes"].get<std::ptrdiff_t>());
  };
  std::vector<std::pair<int, Bytes>> tensors{
      {network["layers"][0]["inputs"][0].get<int>(), read_file(kRoot + "inputs/" + name + "/000.bin")}};
  unsigned found = 0;
  for (const json &text : network["layers"]) {
    const std::string operation = text["op"];
    std::string file = operation;
    std::transform(file.begin(), file.end(), file.begin(), [](char letter) { return static_cast<char>(std::tolower(letter)); });
    const std::string number = std::to_string(text["index"].get<int>());
    Bytes output = read_file(kRoot + "layers/" + name + "/000/" + (number.size() == 1 ? "0" : "") + number + "_" + file + ".bin");
    if (operation == "CONV_2D" || operation == "DEPTHWISE_CONV_2D") {
      Layer layer;
      layer.depthwise = operation == "DEPTHWISE_CONV_2D";
      read_common(layer, text, text["in_shape"], text["out_shape"], text["stride"], text["dilation"]);
      layer.call.pad_top = text["pad_top"];
      layer.call.pad_left = text["pad_left"];
      layer.call.pad_bottom = text["pad_bottom"];
      layer.call.pad_right = text["pad_right"];
      const auto input =
          std::find_if(tensors.begin(), tensors.end(), [&](const auto &tensor) { return tensor.first == text["inputs"][0]; });
      ASSERT_NE(input, tensors.end());
      layer.input = input->second;
      layer.weights = part(text["weights"]);
      layer.bias = part(text["bias"]);
      layer.expected = output;
      expect_published(std::move(layer), name + ", layer " + number);
      ++found;
    }
    tensors.emplace_back(text["outputs"][0].get<int>(), std::move(output));
  }
  EXPECT_EQ(found, convolutions);
}

TEST(PublishedConvolutions, ResNet8) { expect_network("ic01_resnet8", 9); }
TEST(PublishedConvolutions, DsCnn) { expect_network("kws01_dscnn", 9); }
TEST(PublishedConvolutions, MobileNet) { expect_network("vww01_mobilenetv1_025", 27); }

}  // namespace
}  // namespace cox::tests
