// SPDX-License-Identifier: MIT
// The published cases of CMSIS-NN, with kernels called one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "coxswain/kernels/unity/conv2d.h"
#include "coxswain/kernels/unity/data.h"
#include "coxswain/kernels/unity/elementwise.h"
#include "coxswain/kernels/unity/pool.h"
#include "tests/kernels/unity/unity_bench.h"
#include "tests/tflite/published.h"

namespace cox::tests::unity::published_cases_test {
namespace {

using namespace cox::tests::published;  // NOLINT(google-build-using-namespace)
using namespace kernels::unity;         // NOLINT(google-build-using-namespace)
using nlohmann::json;
using Values = std::vector<std::int8_t>;
using Numbers = std::vector<std::int32_t>;
using Sizes = std::vector<std::uint32_t>;

/// Runs one case.
class Case {
 public:
  Case(std::string folder, const std::string &op)
      : folder_(std::move(folder)), op_(op), text_(read_json(folder_ + "case.json")), out_(text_["output_shape"].get<Sizes>()) {
    std::uint32_t elements = 1;
    for (const std::uint32_t size : out_) elements *= size;
    result_ = Values(elements);
    output_ = bench_.put(result_);
  }

  /// Returns an empty vector if the test has no kernel for the case.
  Values run() {
    const Status status = append();
    EXPECT_TRUE(status) << error_name(status.code()) << " " << status.what() << " value " << status.value();
    if (!status || bench_.builder.instructions(0) == 0) return {};
    bench_.run();
    return Bench::get<std::int8_t>(output_, result_.size());
  }

 private:
  Values values(const char *file) const {
    const std::vector<std::uint8_t> bytes = read_bytes(folder_ + file);
    return {as_signed(bytes).begin(), as_signed(bytes).end()};
  }
  Bounds bounds() const { return {text_["act_min"], text_["act_max"]}; }
  std::int32_t minus(const char *name) const { return -text_[name].get<std::int32_t>(); }

  Status append() {
    if (op_ == "conv_s8" || op_ == "depthwise_conv_s8") return convolve(op_ != "conv_s8");
    if (op_ == "fully_connected_s8") return multiply();
    if (op_ == "avg_pool_s8" || op_ == "max_pool_s8") return append_pool();
    if (op_ == "softmax_s8") return append_softmax();
    if (op_ == "add_s8") return append_sum();
    if (op_ == "maximum_s8" || op_ == "minimum_s8") return append_extremum();
    return {};
  }

  ChannelResults results(const Values &weights, bool by_channel, std::int32_t weights_zero) {
    const Numbers multipliers = text_["multipliers"], shifts = text_["shifts"];
    const std::size_t channels = out_.back();
    Numbers bias;
    if (text_["has_bias"]) bias = as_words(read_bytes(folder_ + "bias.bin"));
    Numbers folded(channels), all(channels);
    Values all_shifts(channels);
    for (std::size_t i = 0; i < channels; ++i) {
      all[i] = multipliers[multipliers.size() == 1 ? 0 : i];
      all_shifts[i] = static_cast<std::int8_t>(shifts[shifts.size() == 1 ? 0 : i]);
    }
    fold_zero_point(bias, weights, by_channel, minus("input_offset"), weights_zero, folded);
    return {bench_.put(folded), bench_.put(all), bench_.put(all_shifts), text_["output_offset"], bounds()};
  }

  /// What padding there must be behind a map for the output to have this side.
  static std::uint32_t behind(std::uint32_t size, std::uint32_t before, std::uint32_t window, std::uint32_t stride, std::uint32_t output) {
    const std::uint32_t needed = (output - 1) * stride + window;
    return needed > size + before ? needed - size - before : 0;
  }

  Status convolve(bool depthwise) {
    const Sizes in = text_["input_shape"], kernel = text_["weight_shape"], stride = text_["stride_hw"], rate = text_["dilation_hw"],
                pads = text_["pad_top_left"];
    Conv2dArguments a;
    a.depthwise = depthwise;
    a.batch = in[0], a.height = in[1], a.width = in[2], a.channels = in[3];
    a.output_height = out_[1], a.output_width = out_[2], a.output_channels = out_[3];
    a.kernel_height = kernel[1], a.kernel_width = kernel[2];
    a.stride_y = stride[0], a.stride_x = stride[1], a.dilation_y = rate[0], a.dilation_x = rate[1];
    a.groups = text_.value("groups", 1U);
    a.pad_top = pads[0], a.pad_left = pads[1];
    a.pad_bottom = behind(a.height, a.pad_top, (a.kernel_height - 1) * a.dilation_y + 1, a.stride_y, a.output_height);
    a.pad_right = behind(a.width, a.pad_left, (a.kernel_width - 1) * a.dilation_x + 1, a.stride_x, a.output_width);
    a.pad_value = minus("input_offset");
    const Values weights = values("weights.bin");
    a.results = results(weights, depthwise, 0);
    a.input = bench_.put(values("input.bin"));
    a.weights = bench_.put(weights);
    a.output = output_;
    if (depthwise && a.dilation_y * a.dilation_x != 1) return {};  // needs other weights
    return conv2d(bench_.builder, a);
  }
  Status multiply() {
    const Values weights = values("weights.bin");
    const Sizes in = text_["input_shape"], kernel = text_["weight_shape"];
    FullyConnectedArguments a;
    a.rows = in[0], a.depth = kernel[1], a.columns = kernel[0];
    a.weights_zero = minus("weight_offset");
    a.results = results(weights, false, a.weights_zero);
    a.input = bench_.put(values("input.bin"));
    a.weights = bench_.put(weights);
    a.output = output_;
    return fully_connected(bench_.builder, a);
  }
  Status append_pool() {
    const Sizes in = text_["input_shape"], kernel = text_["kernel_hw"], stride = text_["stride_hw"], pads = text_["pad_top_left"];
    PoolArguments a;
    a.mode = op_ == "max_pool_s8" ? PoolMode::maximum : PoolMode::average;
    a.batch = in[0], a.height = in[1], a.width = in[2], a.channels = in[3];
    a.output_height = out_[1], a.output_width = out_[2];
    a.kernel_height = kernel[0], a.kernel_width = kernel[1], a.stride_y = stride[0], a.stride_x = stride[1];
    a.pad_top = pads[0], a.pad_left = pads[1];
    a.pad_bottom = behind(a.height, a.pad_top, a.kernel_height, a.stride_y, a.output_height);
    a.pad_right = behind(a.width, a.pad_left, a.kernel_width, a.stride_x, a.output_width);
    a.bounds = bounds();
    a.input = bench_.put(values("input.bin"));
    a.output = output_;
    return pool(bench_.builder, a);
  }
  Status append_softmax() {
    const Sizes in = text_["input_shape"];
    return softmax(
        bench_.builder,
        {bench_.put(values("input.bin")), output_, in[0], in[1], {text_["input_mult"], text_["input_left_shift"]}, text_["diff_min"]});
  }
  Status append_sum() {
    SumArguments a;
    a.inputs = {bench_.put(values("input1.bin")), bench_.put(values("input2.bin"))};
    a.output = output_;
    a.elements = result_.size();
    a.left_shift = text_["left_shift"];
    a.input_zero = {minus("input1_offset"), minus("input2_offset")};
    a.input_multiplier = {Multiplier{text_["input1_mult"], text_["input1_shift"]}, Multiplier{text_["input2_mult"], text_["input2_shift"]}};
    a.multiplier = {text_["output_mult"], text_["output_shift"]};
    a.output_zero = text_["output_offset"];
    a.bounds = bounds();
    return sum(bench_.builder, a);
  }
  /// Inputs of one element are repeated.
  Status append_extremum() {
    std::array<std::uint64_t, 2> inputs{};
    for (unsigned i = 0; i < 2; ++i) {
      const Values input = values(i == 0 ? "input1.bin" : "input2.bin");
      inputs[i] = bench_.put(input);
      if (input.size() == result_.size()) continue;
      if (input.size() != 1) return {};
      const std::uint64_t whole = bench_.put(result_);
      if (Status status = repeat(bench_.builder, {inputs[i], whole, 1, static_cast<std::uint32_t>(result_.size()), 1}); !status)
        return status;
      inputs[i] = whole;
    }
    return extremum(bench_.builder, {op_ == "maximum_s8", inputs, output_, result_.size()});
  }

  std::string folder_, op_;
  json text_;
  Sizes out_;
  Bench bench_;
  Values result_;
  std::uint64_t output_ = 0;
};

TEST(UnityPublishedCases, GiveThePublishedBytes) {
  if (!present(root() + "cmsis_nn")) GTEST_SKIP() << "no published cases at " << COX_SHARED_DATA;
  unsigned cases = 0;
  for (const json &entry : read_json(root() + "cmsis_nn/index.json")) {
    const std::string folder = root() + "cmsis_nn/" + entry["dir"].get<std::string>() + "/";
    SCOPED_TRACE(folder);
    const Values result = Case(folder, entry["op"]).run();
    if (result.empty()) {
      std::printf("not run: %s\n", entry["dir"].get<std::string>().c_str());
      continue;
    }
    const std::vector<std::uint8_t> expected = read_bytes(folder + "expected.bin");
    EXPECT_EQ(result, Values(as_signed(expected).begin(), as_signed(expected).end()));
    ++cases;
  }
  EXPECT_GE(cases, 25U);
}

}  // namespace
}  // namespace cox::tests::unity::published_cases_test
