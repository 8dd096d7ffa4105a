// SPDX-License-Identifier: MIT
// The reference of the operators beside the published cases of CMSIS-NN, and a network of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/tflite/published.h"
#include "tests/tflite/reference/operators.h"

namespace cox::tests::tflite_cases {
namespace {

using namespace cox::tests::published;         // NOLINT(google-build-using-namespace)
using namespace cox::tests::tflite_reference;  // NOLINT(google-build-using-namespace)
using nlohmann::json;
using Numbers = std::vector<std::int32_t>;

tf::Shape shape_of(const Numbers &sizes) {
  tf::Shape shape;
  for (const std::int32_t size : sizes) shape.dimensions[shape.rank++] = size;
  return shape;
}

Multipliers multipliers_of(const json &text) {
  Multipliers multipliers;
  const Numbers values = text["multipliers"], shifts = text["shifts"];
  for (std::size_t i = 0; i < values.size(); ++i) multipliers.push_back({values[i], shifts[i]});
  return multipliers;
}

tf::Clamp clamp_of(const json &text) { return {text["act_min"], text["act_max"]}; }

tf::Convolution convolution_of(const json &text, bool depthwise) {
  const Numbers in = text["input_shape"], out = text["output_shape"], weights = text["weight_shape"], stride = text["stride_hw"],
                dilation = text["dilation_hw"], pads = text["pad_top_left"];
  tf::Convolution n;
  n.kind = depthwise ? tf::Convolution::Kind::depthwise : tf::Convolution::Kind::convolution;
  n.batch = in[0];
  n.input_height = in[1];
  n.input_width = in[2];
  n.input_channels = in[3];
  n.output_height = out[1];
  n.output_width = out[2];
  n.output_channels = out[3];
  n.kernel_height = weights[1];
  n.kernel_width = weights[2];
  n.stride_height = stride[0];
  n.stride_width = stride[1];
  n.dilation_height = dilation[0];
  n.dilation_width = dilation[1];
  n.groups = text.value("groups", 1);
  n.depth_multiplier = depthwise ? out[3] / in[3] : 1;
  n.pads.top = pads[0];
  n.pads.left = pads[1];
  n.input_zero = -text["input_offset"].get<std::int32_t>();
  n.output_zero = text["output_offset"];
  n.clamp = clamp_of(text);
  return n;
}

tf::FullyConnected fully_connected_of(const json &text) {
  tf::FullyConnected n;
  n.rows = text["input_shape"][0];
  n.depth = text["weight_shape"][1];
  n.columns = text["weight_shape"][0];
  n.input_zero = -text["input_offset"].get<std::int32_t>();
  n.weights_zero = -text["weight_offset"].get<std::int32_t>();
  n.output_zero = text["output_offset"];
  n.clamp = clamp_of(text);
  return n;
}

tf::Pool pool_of(const json &text, bool maximum) {
  const Numbers in = text["input_shape"], out = text["output_shape"], kernel = text["kernel_hw"], stride = text["stride_hw"],
                pads = text["pad_top_left"];
  tf::Pool n;
  n.kind = maximum ? tf::Pool::Kind::maximum : tf::Pool::Kind::average;
  n.batch = in[0];
  n.channels = in[3];
  n.input_height = in[1];
  n.input_width = in[2];
  n.output_height = out[1];
  n.output_width = out[2];
  n.kernel_height = kernel[0];
  n.kernel_width = kernel[1];
  n.stride_height = stride[0];
  n.stride_width = stride[1];
  n.pads.top = pads[0];
  n.pads.left = pads[1];
  n.clamp = clamp_of(text);
  return n;
}

tf::Softmax softmax_of(const json &text, std::int32_t rows, std::int32_t depth) {
  tf::Softmax n;
  n.rows = rows;
  n.depth = depth;
  n.multiplier = {text["input_mult"], text["input_left_shift"]};
  n.least_difference = text["diff_min"];
  return n;
}

/// A published case: its folder and its description.
struct Case {
  std::string folder;
  json text;

  [[nodiscard]] std::vector<std::uint8_t> file(const std::string &name) const { return read_bytes(folder + name); }
};

Values result_of(const std::string &op, const Case &one) {
  const json &text = one.text;
  const std::vector<std::uint8_t> input = present(one.folder + "input.bin") ? one.file("input.bin") : std::vector<std::uint8_t>();
  if (op == "conv_s8" || op == "depthwise_conv_s8" || op == "fully_connected_s8") {
    const std::vector<std::uint8_t> weights = one.file("weights.bin");
    const Numbers bias = text["has_bias"] ? as_words(one.file("bias.bin")) : Numbers();
    if (op == "fully_connected_s8")
      return fully_connected(fully_connected_of(text), as_signed(input), as_signed(weights), bias, multipliers_of(text));
    return convolution(convolution_of(text, op == "depthwise_conv_s8"), as_signed(input), as_signed(weights), bias, multipliers_of(text));
  }
  if (op == "avg_pool_s8" || op == "max_pool_s8") return pool(pool_of(text, op == "max_pool_s8"), as_signed(input));
  if (op == "softmax_s8") return softmax(softmax_of(text, text["input_shape"][0], text["input_shape"][1]), as_signed(input));
  if (op == "pad_s8") {
    tf::Pad n;
    for (std::size_t i = 0; i < text["pads"].size(); ++i) {
      n.before[i] = text["pads"][i][0];
      n.after[i] = text["pads"][i][1];
    }
    n.value = text["pad_value"];
    return pad(n, as_signed(input), shape_of(text["input_shape"]), shape_of(text["output_shape"]));
  }
  const std::vector<std::uint8_t> first = one.file("input1.bin"), second = one.file("input2.bin");
  const tf::Shape output = shape_of(text["output_shape"]);
  const Operand a{as_signed(first), shape_of(text["input_shape"])};
  const Operand b{as_signed(second), shape_of(text.value("input2_shape", text["input_shape"].get<Numbers>()))};
  if (op == "maximum_s8" || op == "minimum_s8") {
    tf::Extremum n;
    n.maximum = op == "maximum_s8";
    return extremum(n, a, b, output);
  }
  if (op == "add_s8") {
    tf::Sum n;
    n.left_shift = text["left_shift"];
    n.input_zero = {-text["input1_offset"].get<std::int32_t>(), -text["input2_offset"].get<std::int32_t>()};
    n.input_multiplier = {tf::QuantisedMultiplier{text["input1_mult"], text["input1_shift"]},
                          tf::QuantisedMultiplier{text["input2_mult"], text["input2_shift"]}};
    n.output_multiplier = {text["output_mult"], text["output_shift"]};
    n.output_zero = text["output_offset"];
    n.clamp = clamp_of(text);
    return sum(n, a, b, output);
  }
  ADD_FAILURE() << "no reference for " << op;
  return {};
}

TEST(TfliteReference, GivesThePublishedBytesOfEachCase) {
  if (!present(root() + "cmsis_nn")) GTEST_SKIP() << "no published cases at " << COX_SHARED_DATA;
  unsigned cases = 0;
  for (const json &entry : read_json(root() + "cmsis_nn/index.json")) {
    const std::string folder = root() + "cmsis_nn/" + entry["dir"].get<std::string>() + "/";
    SCOPED_TRACE(folder);
    const Case one{folder, read_json(folder + "case.json")};
    const std::vector<std::uint8_t> expected = one.file("expected.bin");
    const std::span<const std::int8_t> values = as_signed(expected);
    EXPECT_EQ(result_of(entry["op"], one), Values(values.begin(), values.end()));
    ++cases;
  }
  EXPECT_GE(cases, 30U);
}

TEST(TfliteReference, GivesThePublishedBytesOfTheVendorsNetwork) {
  const std::string folder = root() + "cmsis_nn/nets/ds_cnn_s/";
  if (!present(folder)) GTEST_SKIP() << "no published cases at " << COX_SHARED_DATA;
  const json network = read_json(folder + "net.json");
  const std::vector<std::uint8_t> constants = read_bytes(folder + "weights.bin");
  std::vector<std::uint8_t> bytes = read_bytes(folder + "input.bin");
  for (const json &layer : network["layers"]) {
    const std::string op = layer["op"];
    SCOPED_TRACE(op + " " + layer["index"].dump());
    const auto part = [&](const char *name) {
      const auto first = constants.begin() + layer[name]["offset"].get<std::ptrdiff_t>();
      return std::vector(first, first + layer[name]["bytes"].get<std::ptrdiff_t>());
    };
    Values values;
    if (op == "average_pool_2d") {
      values = pool(pool_of(layer, false), as_signed(bytes));
    } else if (op == "softmax") {
      values = softmax(softmax_of(layer, layer["rows"], layer["row_size"]), as_signed(bytes));
    } else if (op == "fully_connected") {
      const std::vector<std::uint8_t> weights = part("weights");
      values =
          fully_connected(fully_connected_of(layer), as_signed(bytes), as_signed(weights), as_words(part("bias")), multipliers_of(layer));
    } else {
      const std::vector<std::uint8_t> weights = part("weights");
      values = convolution(convolution_of(layer, op == "depthwise_conv_2d"), as_signed(bytes), as_signed(weights), as_words(part("bias")),
                           multipliers_of(layer));
    }
    bytes.assign(values.begin(), values.end());
    EXPECT_EQ(bytes, read_bytes(folder + "layer_" + numbered(layer["index"], 2) + ".bin"));
  }
  EXPECT_EQ(bytes, read_bytes(folder + "expected.bin"));
}

}  // namespace
}  // namespace cox::tests::tflite_cases
