// SPDX-License-Identifier: MIT
// Compares the list of the network's layers with published facts about YOLOv5s.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "examples/yolov5s/layers.h"

namespace cox::yolov5s {
namespace {

std::unique_ptr<LayerList> layers_at(std::uint32_t height, std::uint32_t width) {
  auto layers = std::make_unique<LayerList>();
  EXPECT_TRUE(build(*layers, height, width).ok());
  return layers;
}

// ultralytics prints 7,225,885 parameters for the fused yolov5s.
TEST(Network, HasTheParametersThatArePublished) {
  const auto layers = layers_at(640, 640);
  std::uint64_t parameters = 0;
  for (const Layer &layer : layers->layers()) {
    if (layer.kind != LayerKind::convolution) continue;
    const Convolution &convolution = layer.convolution;
    const std::uint64_t taps = std::uint64_t{convolution.kernel} * convolution.kernel * convolution.input_channels;
    parameters += (taps + 1) * convolution.output_channels;
  }
  EXPECT_EQ(parameters, 7'225'885U);
}

// The published number is 16.4 or 16.5 GFLOPs at 640 x 640, with two operations for each multiply-accumulate.
TEST(Network, HasTheOperationsThatArePublished) {
  const auto layers = layers_at(640, 640);
  std::uint64_t sum = 0;
  for (const Layer &layer : layers->layers()) sum += layer.multiply_accumulates;
  EXPECT_NEAR(2e-9 * static_cast<double>(sum), 16.45, 0.06);
}

TEST(Network, CountsItsLayersAndTensors) {
  const auto layers = layers_at(640, 640);
  EXPECT_EQ(layers->count(), kLayers);
  EXPECT_EQ(layers->tensor_count(), kTensors);
  std::uint32_t convolutions = 0;
  std::uint32_t pairs = 0;
  std::uint32_t adds = 0;
  std::set<std::string> names;
  for (const Layer &layer : layers->layers()) {
    convolutions += layer.kind == LayerKind::convolution ? 1 : 0;
    pairs += layer.second_of_pair ? 1 : 0;
    adds += layer.kind == LayerKind::add ? 1 : 0;
    names.insert(std::string(layer.name.view()));
  }
  EXPECT_EQ(convolutions, kConvolutions);
  EXPECT_EQ(pairs, 8U);  // one per module C3
  EXPECT_EQ(adds, 7U);   // one per bottleneck of the backbone: 1 + 2 + 3 + 1
  EXPECT_EQ(names.size(), kLayers);
}

struct Expected {
  const char *name;
  std::uint32_t inputs, outputs, kernel, stride, height;
};

// Each row comes from the model's definition: module, channels in and out, kernel, stride, and the height of the module's output at 640 x
// 640.
constexpr Expected kExpected[] = {
    {"model.0.conv", 12, 32, 3, 1, 320},           {"model.1.conv", 32, 64, 3, 2, 160},       {"model.2.cv1.conv", 64, 32, 1, 1, 160},
    {"model.2.m.0.cv2.conv", 32, 32, 3, 1, 160},   {"model.2.cv3.conv", 64, 64, 1, 1, 160},   {"model.3.conv", 64, 128, 3, 2, 80},
    {"model.4.m.1.cv2.conv", 64, 64, 3, 1, 80},    {"model.5.conv", 128, 256, 3, 2, 40},      {"model.6.m.2.cv1.conv", 128, 128, 1, 1, 40},
    {"model.7.conv", 256, 512, 3, 2, 20},          {"model.8.cv2.conv", 512, 256, 1, 1, 20},  {"model.9.cv1.conv", 512, 256, 1, 1, 20},
    {"model.9.cv2.conv", 1024, 512, 1, 1, 20},     {"model.10.conv", 512, 256, 1, 1, 20},     {"model.13.cv1.conv", 512, 128, 1, 1, 40},
    {"model.14.conv", 256, 128, 1, 1, 40},         {"model.17.cv2.conv", 256, 64, 1, 1, 80},  {"model.17.cv3.conv", 128, 128, 1, 1, 80},
    {"model.18.conv", 128, 128, 3, 2, 40},         {"model.20.cv1.conv", 256, 128, 1, 1, 40}, {"model.21.conv", 256, 256, 3, 2, 20},
    {"model.23.m.0.cv2.conv", 256, 256, 3, 1, 20}, {"model.24.m.0", 128, 255, 1, 1, 80},      {"model.24.m.1", 256, 255, 1, 1, 40},
    {"model.24.m.2", 512, 255, 1, 1, 20}};

TEST(Network, HasTheShapesOfItsDefinition) {
  const auto layers = layers_at(640, 640);
  for (const Expected &expected : kExpected) {
    SCOPED_TRACE(expected.name);
    bool found = false;
    for (const Layer &layer : layers->layers()) {
      if (layer.name.view() != expected.name) continue;
      found = true;
      EXPECT_EQ(layer.convolution.input_channels, expected.inputs);
      EXPECT_EQ(layer.convolution.output_channels, expected.outputs);
      EXPECT_EQ(layer.convolution.kernel, expected.kernel);
      EXPECT_EQ(layer.convolution.stride, expected.stride);
      EXPECT_EQ(layer.output.height, expected.height);
    }
    EXPECT_TRUE(found);
  }
}

// Every channel of every tensor is written once, before it is read.
TEST(Network, WritesEachChannelOnceAndBeforeItIsRead) {
  const auto layers = layers_at(96, 64);
  std::vector<std::vector<bool>> written(kTensors);
  for (std::uint32_t i = 0; i < kTensors; ++i) written[i].resize(layers->tensors()[i].channels);
  written[kInputTensor].assign(written[kInputTensor].size(), true);
  const auto want_written = [&written](const Map &map) {
    for (std::uint32_t channel = map.first; channel < map.first + map.channels; ++channel) EXPECT_TRUE(written.at(map.tensor).at(channel));
  };
  for (const Layer &layer : layers->layers()) {
    SCOPED_TRACE(layer.name.c_str());
    want_written(layer.input1);
    if (layer.kind == LayerKind::add) want_written(layer.input2);
    EXPECT_EQ(layer.output.first % 16, 0U);
    for (std::uint32_t channel = layer.output.first; channel < layer.output.first + layer.output.channels; ++channel) {
      EXPECT_FALSE(written.at(layer.output.tensor).at(channel));
      written[layer.output.tensor][channel] = true;
    }
  }
  for (const auto &tensor : written) {
    for (const bool channel : tensor) EXPECT_TRUE(channel);
  }
}

TEST(Network, RefusesSizesThatItCannotHalveFiveTimes) {
  LayerList layers;
  EXPECT_STREQ(build(layers, 630, 640).what(), "height");
  EXPECT_STREQ(build(layers, 640, 0).what(), "width");
  EXPECT_EQ(layers.count(), 0U);
}

}  // namespace
}  // namespace cox::yolov5s
