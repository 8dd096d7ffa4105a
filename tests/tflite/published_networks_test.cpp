// SPDX-License-Identifier: MIT
// The published models: the numbers that resolve() computes beside those that were published, and the bytes of every layer, which the
// reference computes with these numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "coxswain/base/crc32.h"
#include "coxswain/tflite/resolve.h"
#include "tests/tflite/model_builder.h"
#include "tests/tflite/published.h"
#include "tests/tflite/reference/evaluation.h"

namespace cox::tests::tflite_networks {
namespace {

using namespace cox::tests::published;  // NOLINT(google-build-using-namespace)
using nlohmann::json;
namespace tf = cox::tflite;

class TfliteNetwork : public testing::TestWithParam<const char *> {
 protected:
  void SetUp() override {
    name_ = GetParam();
    if (!present(model_file(name_))) GTEST_SKIP() << "no published models at " << COX_SHARED_DATA;
    file_.emplace(tflite_models::read(model_file(name_)));
    const Result<std::size_t> tensors = tf::tensor_count(file_->view());
    ASSERT_TRUE(tensors) << tensors.status().what();
    workspace_.resize(tensors.value());
    const Result<tf::Model> model = tf::open(file_->view(), workspace_);
    ASSERT_TRUE(model) << model.status().what() << " " << model.status().index();
    model_ = model.value();
  }

  [[nodiscard]] tf::TensorView tensor(std::int32_t index) const { return model_.tensor(static_cast<std::size_t>(index)); }

  std::string name_;
  std::optional<tflite_models::File> file_;
  std::vector<tf::TensorUse> workspace_;
  tf::Model model_;
};

std::vector<std::int32_t> list_of(const tf::Shape &shape) { return {shape.dimensions.begin(), shape.dimensions.begin() + shape.rank}; }

void expect_scales(const tf::ChannelScales &scales, const json &layer) {
  const std::vector<std::int32_t> multipliers = layer["multipliers"], shifts = layer["shifts"];
  for (std::size_t i = 0; i < multipliers.size(); ++i) {
    EXPECT_EQ(scales.multiplier(i), (tf::QuantisedMultiplier{multipliers[i], shifts[i]})) << "channel " << i;
  }
}

void expect_clamp(const tf::Clamp &clamp, const json &layer) {
  EXPECT_EQ(clamp.least, layer["act_min"]);
  EXPECT_EQ(clamp.most, layer["act_max"]);
}

void expect_numbers(const tf::Convolution &n, const json &layer) {
  EXPECT_EQ(n.kind == tf::Convolution::Kind::depthwise, layer["op"] == "DEPTHWISE_CONV_2D");
  EXPECT_EQ((std::vector{n.stride_height, n.stride_width}), layer["stride"].get<std::vector<std::int32_t>>());
  EXPECT_EQ((std::vector{n.dilation_height, n.dilation_width}), layer["dilation"].get<std::vector<std::int32_t>>());
  EXPECT_EQ(n.pads, (tf::Pads{layer["pad_top"], layer["pad_left"], layer["pad_bottom"], layer["pad_right"]}));
  EXPECT_EQ(-n.input_zero, layer["input_offset"]);
  EXPECT_EQ(n.output_zero, layer["output_offset"]);
  EXPECT_EQ(n.depth_multiplier, layer.value("depth_multiplier", 1));
  EXPECT_EQ(n.groups, 1);
  expect_clamp(n.clamp, layer);
  expect_scales(n.scales, layer);
}

void expect_numbers(const tf::FullyConnected &n, const json &layer) {
  EXPECT_EQ(-n.input_zero, layer["input_offset"]);
  EXPECT_EQ(n.weights_zero, layer["weight_zero_point"]);
  EXPECT_EQ(n.output_zero, layer["output_offset"]);
  EXPECT_EQ(n.columns, layer["weight_shape"][0]);
  EXPECT_EQ(n.depth, layer["weight_shape"][1]);
  expect_clamp(n.clamp, layer);
  expect_scales(n.scales, layer);
}

void expect_numbers(const tf::Pool &n, const json &layer) {
  EXPECT_EQ((std::vector{n.kernel_height, n.kernel_width}), layer["kernel"].get<std::vector<std::int32_t>>());
  EXPECT_EQ((std::vector{n.stride_height, n.stride_width}), layer["stride"].get<std::vector<std::int32_t>>());
  EXPECT_EQ(n.pads.top, layer["pad_top"]);
  EXPECT_EQ(n.pads.left, layer["pad_left"]);
  expect_clamp(n.clamp, layer);
}

void expect_numbers(const tf::Sum &n, const json &layer) {
  EXPECT_EQ(n.left_shift, layer["left_shift"]);
  EXPECT_EQ(-n.input_zero[0], layer["input1_offset"]);
  EXPECT_EQ(-n.input_zero[1], layer["input2_offset"]);
  EXPECT_EQ(n.input_multiplier[0], (tf::QuantisedMultiplier{layer["input1_mult"], layer["input1_shift"]}));
  EXPECT_EQ(n.input_multiplier[1], (tf::QuantisedMultiplier{layer["input2_mult"], layer["input2_shift"]}));
  EXPECT_EQ(n.output_multiplier, (tf::QuantisedMultiplier{layer["output_mult"], layer["output_shift"]}));
  EXPECT_EQ(n.output_zero, layer["output_offset"]);
  EXPECT_FALSE(n.subtract || n.broadcast[0] || n.broadcast[1]);
  expect_clamp(n.clamp, layer);
}

void expect_numbers(const tf::Softmax &n, const json &layer) {
  EXPECT_EQ(n.multiplier, (tf::QuantisedMultiplier{layer["input_mult"], layer["input_left_shift"]}));
  EXPECT_EQ(n.least_difference, layer["diff_min"]);
}

void expect_numbers(const tf::Copy &, const json &layer) { EXPECT_EQ(layer["op"], "RESHAPE"); }

template <typename Other>
void expect_numbers(const Other &, const json &layer) {
  ADD_FAILURE() << layer["op"] << " was resolved to another operation";
}

TEST_P(TfliteNetwork, HasThePublishedNumbers) {
  const json network = read_json(root() + "nets/" + name_ + ".json");
  const std::vector<std::uint8_t> weights = read_bytes(root() + "nets/" + name_ + ".weights.bin");
  for (const auto &[index, published] : network["tensors"].items()) {
    SCOPED_TRACE("tensor " + index);
    const tf::TensorView view = tensor(std::stoi(index));
    EXPECT_EQ(list_of(view.shape), published["shape"].get<std::vector<std::int32_t>>());
    EXPECT_EQ(view.quantisation.scale(), published["scale"].get<float>());
    EXPECT_EQ(view.quantisation.zero_point(), published["zero_point"]);
  }
  EXPECT_EQ(model_.inputs().front(), network["input"]["tensor"]);
  EXPECT_EQ(model_.outputs().front(), network["output"]["tensor"]);
  ASSERT_EQ(model_.operators(), network["layers"].size());
  std::uint64_t products = 0;
  for (std::size_t i = 0; i < model_.operators(); ++i) {
    SCOPED_TRACE("operator " + std::to_string(i));
    const json &layer = network["layers"][i];
    const tf::OperatorView op = model_.op(i);
    EXPECT_EQ(tf::operator_name(op.code), layer["op"]);
    EXPECT_EQ(std::vector(op.inputs.begin(), op.inputs.end()), layer["inputs"].get<std::vector<std::int32_t>>());
    EXPECT_EQ(std::vector(op.outputs.begin(), op.outputs.end()), layer["outputs"].get<std::vector<std::int32_t>>());
    const Result<tf::Operation> operation = tf::resolve(model_, i);
    ASSERT_TRUE(operation) << operation.status().what() << " " << operation.status().value();
    std::visit([&layer](const auto &numbers) { expect_numbers(numbers, layer); }, operation.value());
    EXPECT_EQ(tf::multiply_accumulates(operation.value()), layer["macs"].get<std::uint64_t>());
    products += tf::multiply_accumulates(operation.value());
    for (const auto &[part, operand] : {std::pair("weights", 1), {"bias", 2}}) {
      if (!layer.contains(part)) continue;
      const tf::TensorView constant = tensor(op.inputs[static_cast<std::size_t>(operand)]);
      const auto *const first = weights.data() + layer[part]["offset"].get<std::size_t>();
      ASSERT_EQ(constant.data.size(), layer[part]["bytes"].get<std::size_t>());
      EXPECT_TRUE(std::equal(first, first + constant.data.size(), reinterpret_cast<const std::uint8_t *>(constant.data.data()))) << part;
    }
  }
  EXPECT_EQ(products, network["macs"].get<std::uint64_t>());
}

std::uint32_t crc_of(const std::vector<std::uint8_t> &bytes) { return crc32(std::as_bytes(std::span(bytes))); }

TEST_P(TfliteNetwork, GivesThePublishedBytesOfEveryLayer) {
  const json sums = read_json(root() + "layers/" + name_ + "/crc32.json");
  std::size_t inputs = 0;
  for (; present(root() + "inputs/" + name_ + "/" + numbered(inputs, 3) + ".bin"); ++inputs) {
    const std::string number = numbered(inputs, 3);
    SCOPED_TRACE("input " + number);
    tests::tflite_reference::Evaluation evaluation(model_);
    evaluation.set(model_.inputs().front(), read_bytes(root() + "inputs/" + name_ + "/" + number + ".bin"));
    for (std::size_t i = 0; i < model_.operators(); ++i) {
      const Status status = evaluation.run(i);
      ASSERT_TRUE(status) << status.what();
      const std::vector<std::uint8_t> &bytes = evaluation.bytes(model_.op(i).outputs.front());
      if (sums.contains(number)) {
        const std::string published = sums[number][i]["crc32"];
        ASSERT_EQ(crc_of(bytes), std::stoul(published, nullptr, 16)) << "operator " << i;
      }
      std::string op = tf::operator_name(model_.op(i).code);
      std::transform(op.begin(), op.end(), op.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
      const std::string layer = root() + "layers/" + name_ + "/" + number + "/" + numbered(i, 2) + "_" + op + ".bin";
      if (present(layer)) {
        ASSERT_EQ(bytes, read_bytes(layer)) << "operator " << i;
      }
    }
    ASSERT_EQ(evaluation.bytes(model_.outputs().front()), read_bytes(root() + "expected/" + name_ + "/" + number + ".bin"));
  }
  EXPECT_GE(inputs, 10U);
}

INSTANTIATE_TEST_SUITE_P(Published, TfliteNetwork, testing::ValuesIn(kModels), [](const auto &row) { return row.param; });

}  // namespace
}  // namespace cox::tests::tflite_networks
