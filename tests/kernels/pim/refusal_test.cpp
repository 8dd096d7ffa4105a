// SPDX-License-Identifier: MIT
// Arguments that kernels refuse. A refused call leaves the program as it was.
#include <gtest/gtest.h>

#include "coxswain/kernels/pim/elementwise.h"
#include "coxswain/kernels/pim/gemm.h"
#include "coxswain/kernels/pim/pool.h"
#include "tests/kernels/pim/conv2d_problem.h"

namespace cox::tests::pim::refusal_test {
namespace {

using kernels::pim::Conv2dArguments;
using kernels::pim::EladdArguments;
using kernels::pim::ElmulArguments;
using kernels::pim::LayerShape;
using kernels::pim::Mapping;
using kernels::pim::PoolArguments;
using kernels::pim::PoolMode;
using kernels::pim::QuantiseArguments;
using kernels::pim::Split;
using kernels::pim::WeightForm;

class PimRefusal : public testing::Test {
 protected:
  PimRefusal() {
    layer.height = layer.width = 8, layer.channels = 16, layer.output_channels = 24;
    layer.kernel_height = layer.kernel_width = 3;
    layer.pad_top = layer.pad_left = layer.pad_bottom = layer.pad_right = 1;
    layer.output_height = layer.output_width = 8;
    mapping = choose_mapping(conv2d_layer(layer).value(), bench.configuration).value();
    layer.input = bench.allocate(1024);
    layer.output = bench.allocate(8 * 8 * 24);
    layer.weights = bench.allocate(mapping.bytes(bench.configuration.array));
    EXPECT_TRUE(conv2d(bench.builder, layer, mapping).ok());
    before.assign(bench.builder.code().begin(), bench.builder.code().end());
  }
  void refused(const Status &status, ErrorCode code, const char *what) {
    EXPECT_EQ(status.code(), code) << error_name(status.code()) << " " << status.what();
    EXPECT_STREQ(status.what(), what);
    const auto code_now = bench.builder.code();
    EXPECT_TRUE(std::equal(code_now.begin(), code_now.end(), before.begin(), before.end())) << what;
  }
  template <typename Change>
  void layer_refused(Change change, ErrorCode code, const char *what) {
    Conv2dArguments changed = layer;
    change(changed);
    refused(conv2d(bench.builder, changed, mapping), code, what);
  }

  Bench bench{2};
  Conv2dArguments layer;
  Mapping mapping;
  std::vector<std::byte> before;
};

TEST_F(PimRefusal, Sizes) {
  layer_refused([](auto &a) { a.height = 0; }, ErrorCode::invalid_argument, "height");
  layer_refused([](auto &a) { a.channels = 0; }, ErrorCode::invalid_argument, "channels");
  layer_refused([](auto &a) { a.kernel_width = 0; }, ErrorCode::invalid_argument, "kernel_width");
  layer_refused([](auto &a) { a.stride_y = 0; }, ErrorCode::invalid_argument, "stride_y");
  layer_refused([](auto &a) { a.dilation_x = 0; }, ErrorCode::invalid_argument, "dilation_x");
  layer_refused([](auto &a) { a.groups = 3; }, ErrorCode::invalid_argument, "groups");
  layer_refused([](auto &a) { a.groups = 0; }, ErrorCode::invalid_argument, "groups");
  layer_refused([](auto &a) { a.output_height = 9; }, ErrorCode::shape_mismatch, "output_height");
  layer_refused([](auto &a) { a.output_width = 7; }, ErrorCode::shape_mismatch, "output_width");
  layer_refused([](auto &a) { a.kernel_height = a.height + 3; }, ErrorCode::shape_mismatch, "output_height");
  layer_refused([](auto &a) { a.pad_top = ~0U; }, ErrorCode::invalid_argument, "pad_top");
  layer_refused([](auto &a) { a.pad_value = 128; }, ErrorCode::invalid_argument, "pad_value");
  layer_refused([](auto &a) { a.zero_point = -129; }, ErrorCode::invalid_argument, "zero_point");
  layer_refused([](auto &a) { a.channels = 1U << 20, a.height = a.width = 1U << 10, a.output_height = a.output_width = 1U << 10; },
                ErrorCode::invalid_argument, "channels");
  layer_refused([](auto &a) { a.form = static_cast<WeightForm>(3); }, ErrorCode::invalid_argument, "form");
}

TEST_F(PimRefusal, CoresAndRows) {
  layer_refused([](auto &a) { a.cores = 3; }, ErrorCode::invalid_argument, "cores");
  layer_refused([](auto &a) { a.cores = 0; }, ErrorCode::invalid_argument, "cores");
  layer_refused([](auto &a) { a.first_core = 2; }, ErrorCode::invalid_argument, "cores");
  layer_refused([](auto &a) { a.cores = 2, a.split = Split::outputs; }, ErrorCode::invalid_argument, "cores");
  layer_refused([](auto &a) { a.first_row = 16; }, ErrorCode::invalid_argument, "first_row");
  layer_refused([](auto &a) { a.first_row = ~0U; }, ErrorCode::invalid_argument, "first_row");
}

TEST_F(PimRefusal, Memory) {
  layer_refused([](auto &a) { a.input = 0xFFFFFF00; }, ErrorCode::address_outside_window, "input");
  layer_refused([](auto &a) { a.input = 0x80000000 + (24U << 20) - 1023; }, ErrorCode::address_outside_window, "input");
  layer_refused([](auto &a) { a.output = 0xA0000000; }, ErrorCode::address_outside_window, "output");
  layer_refused([](auto &a) { a.weights = 0x80000000 + (24U << 20) - 100; }, ErrorCode::address_outside_window, "weights");
  layer_refused([](auto &a) { a.input = 0; }, ErrorCode::address_outside_buffer, "input");
  layer_refused([](auto &a) { a.output = 0x140000 - 100; }, ErrorCode::address_outside_buffer, "output");
  layer_refused([](auto &a) { a.output = 0x500000; }, ErrorCode::invalid_argument, "output");
  layer_refused([](auto &a) { a.input = 0x300000; }, ErrorCode::invalid_argument, "input");
  layer_refused([](auto &a) { a.input = 0x200000; }, ErrorCode::invalid_argument, "input");
  layer_refused([](auto &a) { a.output = a.input + 1023; }, ErrorCode::tensor_overlap, "output");
}

TEST_F(PimRefusal, Mappings) {
  layer_refused([](auto &a) { a.output_channels = 25; }, ErrorCode::shape_mismatch, "mapping");
  layer_refused([](auto &a) { a.has_bias = false; }, ErrorCode::shape_mismatch, "mapping");
  layer_refused([](auto &a) { a.form = WeightForm::bit_sparse; }, ErrorCode::shape_mismatch, "mapping");
  const auto mapping_refused = [&](auto change) {
    Mapping changed = mapping;
    change(changed);
    refused(conv2d(bench.builder, layer, changed), ErrorCode::shape_mismatch, "mapping");
  };
  mapping_refused([](Mapping &m) { m.group_macros = 5; });
  mapping_refused([](Mapping &m) { m.group_macros = 0; });
  mapping_refused([](Mapping &m) { m.tile_width = 9; });
  mapping_refused([](Mapping &m) { m.rows_y += 1; });
  mapping_refused([](Mapping &m) { m.blocks = 1000; });
}

TEST_F(PimRefusal, ShortPrograms) {
  std::vector<std::uint64_t> memory(20);
  kernels::pim::ProgramBuilder small;
  refused(conv2d(small, layer, mapping), ErrorCode::not_ready, "stream");
  ASSERT_TRUE(small.init(std::as_writable_bytes(std::span(memory)), bench.windows, bench.configuration).ok());
  const std::vector<std::byte> empty(small.code().begin(), small.code().end());
  EXPECT_EQ(conv2d(small, layer, mapping).code(), ErrorCode::no_room);
  EXPECT_TRUE(std::equal(empty.begin(), empty.end(), small.code().begin(), small.code().end()));
  EXPECT_EQ(small.init(std::as_writable_bytes(std::span(memory)), bench.windows, bench.configuration, 0).code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(small.init(std::as_writable_bytes(std::span(memory)), bench.windows, bench.configuration, 65).code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(small.init(std::as_writable_bytes(std::span(memory)), bench.windows, bench.configuration, 64).code(), ErrorCode::no_room);
}

TEST_F(PimRefusal, LocalMemoriesThatAreMissing) {
  isa::pim::Configuration configuration = bench.configuration;
  --configuration.memories_count;
  kernels::pim::ProgramBuilder builder;
  std::vector<std::uint64_t> memory(2000);
  ASSERT_TRUE(builder.init(std::as_writable_bytes(std::span(memory)), bench.windows, configuration).ok());
  const Status status = conv2d(builder, layer, mapping);
  EXPECT_EQ(status.code(), ErrorCode::unsupported);
  EXPECT_STREQ(status.what(), "memories");
}

TEST_F(PimRefusal, Elementwise) {
  EladdArguments add;
  add.left = add.right = layer.input, add.output = layer.output, add.count = 500;
  const auto add_refused = [&](auto change, ErrorCode code, const char *what) {
    EladdArguments changed = add;
    change(changed);
    refused(eladd(bench.builder, changed), code, what);
  };
  add_refused([](auto &a) { a.count = 0; }, ErrorCode::invalid_argument, "count");
  add_refused([](auto &a) { a.left_factor.shift = 32; }, ErrorCode::invalid_argument, "left_factor");
  add_refused([](auto &a) { a.right_factor.shift = -32; }, ErrorCode::invalid_argument, "right_factor");
  add_refused([](auto &a) { a.output_factor.shift = 99; }, ErrorCode::invalid_argument, "output_factor");
  add_refused([](auto &a) { a.cores = 3; }, ErrorCode::invalid_argument, "cores");
  add_refused([](auto &a) { a.output = a.left + 1; }, ErrorCode::tensor_overlap, "output");
  add_refused([](auto &a) { a.right = 0x400000; }, ErrorCode::invalid_argument, "right");
  add_refused([](auto &a) { a.left = 0x200000; }, ErrorCode::invalid_argument, "left");
  add_refused([](auto &a) { a.left = 0xFFFFFFFF; }, ErrorCode::address_outside_window, "left");
  ElmulArguments multiply;
  multiply.left = multiply.right = layer.input, multiply.output = layer.output, multiply.count = 5, multiply.factor.shift = 40;
  refused(elmul(bench.builder, multiply), ErrorCode::invalid_argument, "factor");
  QuantiseArguments quantise;
  quantise.input = layer.weights, quantise.output = layer.output, quantise.multipliers = layer.input;
  quantise.pixels = 10, quantise.channels = 0;
  refused(kernels::pim::quantise(bench.builder, quantise), ErrorCode::invalid_argument, "channels");
  quantise.channels = 50'000;
  refused(kernels::pim::quantise(bench.builder, quantise), ErrorCode::no_room, "channels");
  quantise.channels = 3, quantise.output = quantise.input;
  refused(kernels::pim::quantise(bench.builder, quantise), ErrorCode::tensor_overlap, "output");
}

TEST_F(PimRefusal, Pools) {
  PoolArguments a;
  a.height = a.width = 8, a.channels = 16, a.kernel_height = a.kernel_width = 2, a.stride_y = a.stride_x = 2;
  a.output_height = a.output_width = 4, a.input = layer.input, a.output = layer.output;
  const auto pool_refused = [&](auto change, ErrorCode code, const char *what) {
    PoolArguments changed = a;
    change(changed);
    refused(pool(bench.builder, changed), code, what);
  };
  pool_refused([](auto &p) { p.kernel_height = 0; }, ErrorCode::invalid_argument, "kernel_height");
  pool_refused([](auto &p) { p.stride_x = 0; }, ErrorCode::invalid_argument, "stride_x");
  pool_refused([](auto &p) { p.pad_left = 2; }, ErrorCode::invalid_argument, "pad_left");
  pool_refused([](auto &p) { p.pad_left = 1, p.mode = PoolMode::average; }, ErrorCode::invalid_argument, "pad_left");
  pool_refused([](auto &p) { p.output_width = 5; }, ErrorCode::shape_mismatch, "output_width");
  pool_refused([](auto &p) { p.output = p.input; }, ErrorCode::tensor_overlap, "output");
  pool_refused([](auto &p) { p.cores = 9; }, ErrorCode::invalid_argument, "cores");
  pool_refused(
      [](auto &p) {
        p.channels = 20'000, p.kernel_height = p.kernel_width = p.height = p.width = 4, p.output = 0x80000000 + (20U << 20),
        p.output_height = p.output_width = 1;
      },
      ErrorCode::no_room, "width");
}

TEST_F(PimRefusal, Packing) {
  Conv2dProblem problem;
  problem.arguments = layer;
  std::mt19937 random(1);
  problem.fill(random);
  const LayerShape shape = conv2d_layer(layer).value();
  std::vector<std::byte> packed(mapping.bytes(bench.configuration.array), std::byte{7});
  const std::vector<std::byte> untouched = packed;
  kernels::pim::Requantisation factors{.biases = problem.biases, .multipliers = problem.multipliers, .shifts = problem.shifts};
  const auto pack = [&](const kernels::pim::Weights &weights, const kernels::pim::Requantisation &requantisation, std::span<std::byte> to) {
    const Status status = pack_weights(shape, mapping, bench.configuration, weights, requantisation, to);
    EXPECT_EQ(packed, untouched);
    return status;
  };
  kernels::pim::Weights weights = problem.packed_weights();
  refused(pack(weights, factors, std::span(packed).first(packed.size() - 1)), ErrorCode::shape_mismatch, "packed");
  weights.values = weights.values.first(weights.values.size() - 1);
  refused(pack(weights, factors, packed), ErrorCode::shape_mismatch, "weights");
  weights = problem.packed_weights();
  factors.biases = factors.biases.first(3);
  refused(pack(weights, factors, packed), ErrorCode::shape_mismatch, "biases");
  factors.biases = {};
  problem.shifts[5] = 32;
  refused(pack(weights, factors, packed), ErrorCode::field_out_of_range, "shifts");
  problem.shifts[5] = 31;
  const auto inside = std::span(reinterpret_cast<std::int8_t *>(packed.data()), problem.weights.size());
  weights.values = inside;
  refused(pack(weights, factors, packed), ErrorCode::tensor_overlap, "packed");
}

TEST_F(PimRefusal, WindowsWithTooManyWeights) {
  layer.form = WeightForm::value_sparse, layer.window_inputs = 48;
  Conv2dProblem problem;
  problem.arguments = layer;
  std::mt19937 random(1);
  problem.fill(random);
  for (std::int8_t &weight : problem.weights) weight = 1;
  const LayerShape shape = conv2d_layer(layer).value();
  const Mapping sparse = choose_mapping(shape, bench.configuration).value();
  std::vector<std::byte> packed(sparse.bytes(bench.configuration.array));
  refused(pack_weights(shape, sparse, bench.configuration, problem.packed_weights(), {}, packed), ErrorCode::invalid_argument,
          "window_inputs");
}

TEST_F(PimRefusal, WeightsOfMoreBitsThanTheLayers) {
  layer.weight_bits = 3;
  refused(conv2d_layer(layer).status(), ErrorCode::invalid_argument, "weight_bits");
  layer.weight_bits = 4;
  const LayerShape shape = conv2d_layer(layer).value();
  const Mapping narrow = choose_mapping(shape, bench.configuration).value();
  Conv2dProblem problem;
  problem.arguments = layer;
  std::mt19937 random(1);
  problem.fill(random);
  std::vector<std::byte> packed(narrow.bytes(bench.configuration.array));
  const auto pack = [&] { return pack_weights(shape, narrow, bench.configuration, problem.packed_weights(), {}, packed); };
  for (const int weight : {-8, 7}) {
    problem.weights.back() = static_cast<std::int8_t>(weight);
    EXPECT_TRUE(pack().ok());
  }
  for (const int weight : {-9, 8}) {
    problem.weights.back() = static_cast<std::int8_t>(weight);
    refused(pack(), ErrorCode::field_out_of_range, "weights");
  }
  refused(conv2d(bench.builder, layer, mapping), ErrorCode::shape_mismatch, "mapping");
}

TEST(PimMapping, Refusals) {
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  const auto code_of = [&](auto change) {
    LayerShape shape;
    shape.runs = 3, shape.run_inputs = 96, shape.outputs = 64, shape.width = shape.height = 10;
    change(shape);
    return choose_mapping(shape, configuration).status().code();
  };
  EXPECT_EQ(code_of([](LayerShape &) {}), ErrorCode::ok);
  EXPECT_EQ(code_of([](LayerShape &s) { s.runs = 0; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([](LayerShape &s) { s.outputs = 0; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([](LayerShape &s) { s.form = WeightForm::bit_sparse, s.threshold = 3; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([](LayerShape &s) { s.form = WeightForm::value_sparse; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([](LayerShape &s) { s.form = WeightForm::bit_sparse, s.blocks = 2; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([](LayerShape &s) { s.weight_bits = 16; }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([](LayerShape &s) { s.run_inputs = 200'000; }), ErrorCode::no_room);
}

/// The array has room for 2,048 of these outputs at once, the local memories for fewer.
TEST(PimMapping, TakesPassesThatFitTheLocalMemories) {
  LayerShape shape;
  shape.weight_bits = 4, shape.run_inputs = 1024, shape.outputs = 4096;
  const Result<Mapping> mapping = choose_mapping(shape, isa::pim::default_configuration());
  ASSERT_TRUE(mapping.ok()) << mapping.status().what();
  EXPECT_GT(mapping.value().passes, 2U);
}

}  // namespace
}  // namespace cox::tests::pim::refusal_test
