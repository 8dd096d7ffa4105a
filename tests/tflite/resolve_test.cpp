// SPDX-License-Identifier: MIT
// The numbers of operators that the published models do not have, and what resolve() refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "coxswain/tflite/options.h"
#include "coxswain/tflite/resolve.h"
#include "tests/tflite/model_builder.h"

namespace cox::tests::tflite_resolve {
namespace {

using namespace cox::tests::tflite_models;  // NOLINT(google-build-using-namespace)
namespace tf = cox::tflite;
using Type = schema::BuiltinOptions;

/// Returns the index of the first operator with a code.
std::size_t find(const ModelParts &parts, OperatorCode code) {
  for (std::size_t i = 0; i < parts.operators.size(); ++i) {
    if (parts.codes[parts.operators[i].code].code == static_cast<std::int32_t>(code)) return i;
  }
  ADD_FAILURE() << "no such operator";
  return 0;
}

Result<tf::Operation> resolved(const ModelParts &parts, std::size_t index) {
  const File file(parts);
  std::vector<tf::TensorUse> uses(parts.tensors.size());
  const Result<tf::Model> model = tf::open(file.view(), uses);
  if (!model) {
    ADD_FAILURE() << model.status().what() << " " << model.status().index() << " " << model.status().value();
    return model.status();
  }
  return tf::resolve(model.value(), index);
}

template <typename Numbers>
Numbers numbers_of(const ModelParts &parts, OperatorCode code) {
  const Result<tf::Operation> operation = resolved(parts, find(parts, code));
  EXPECT_TRUE(operation) << operation.status().what();
  const auto *const numbers = std::get_if<Numbers>(&operation.value());
  EXPECT_NE(numbers, nullptr);
  return numbers == nullptr ? Numbers() : *numbers;
}

double value_of(const tf::QuantisedMultiplier &multiplier) { return std::ldexp(multiplier.multiplier, multiplier.shift - 31); }

TEST(TfliteMultiplier, IsTheNearest) {
  EXPECT_EQ(tf::quantised_multiplier(1), (tf::QuantisedMultiplier{1 << 30, 1}));
  EXPECT_EQ(tf::quantised_multiplier(0.5), (tf::QuantisedMultiplier{1 << 30, 0}));
  EXPECT_EQ(tf::quantised_multiplier(0), (tf::QuantisedMultiplier{0, 0}));
  EXPECT_EQ(tf::quantised_multiplier(0.75 * std::ldexp(1, -10)), (tf::QuantisedMultiplier{3 << 29, -10}));
  // 1 - 2^-32 lies between two multipliers, and the half rounds up to 2^31: 2^30 with another shift.
  EXPECT_EQ(tf::quantised_multiplier(1 - std::ldexp(1, -32)), (tf::QuantisedMultiplier{1 << 30, 1}));
  EXPECT_EQ(tf::quantised_multiplier(1 - std::ldexp(1, -31)), (tf::QuantisedMultiplier{INT32_MAX, 0}));
  EXPECT_EQ(tf::quantised_multiplier(std::ldexp(1, -32)), (tf::QuantisedMultiplier{1 << 30, -31}));
  EXPECT_EQ(tf::quantised_multiplier(std::ldexp(1, -32) * 0.999), (tf::QuantisedMultiplier{0, 0}));
  EXPECT_EQ(tf::quantised_multiplier(5e-324), (tf::QuantisedMultiplier{0, 0}));
  for (double value = 1e-9; value < 1e8; value *= 1.37) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    EXPECT_EQ(tf::quantised_multiplier(value),
              (tf::QuantisedMultiplier{static_cast<std::int32_t>(std::llround(fraction * 2147483648.0)), exponent}))
        << value;
  }
}

TEST(TfliteMultiplier, RadiusOfFixedPointFunctions) {
  EXPECT_EQ(tf::input_radius(5, 24), 124);  // 31 * 2^26 / 2^24
  EXPECT_EQ(tf::input_radius(5, 20), 1984);
  EXPECT_EQ(tf::input_radius(4, 27), 15);
  EXPECT_EQ(tf::input_radius(4, 0), 15 << 27);
  EXPECT_EQ(tf::input_radius(5, 63), 0);
  EXPECT_EQ(tf::input_radius(4, -1), INT32_MAX);
}

TEST(TfliteResolve, PoolsAndPadding) {
  const auto n = numbers_of<tf::Pool>(all_operators(), OperatorCode::max_pool_2d);
  EXPECT_EQ(n.kind, tf::Pool::Kind::maximum);
  EXPECT_EQ(n.pads, (tf::Pads{0, 0, 1, 1}));  // SAME, 6 elements, window 3, stride 2: one element is missing, at the end
  EXPECT_EQ(n.output_height, 3);
}

TEST(TfliteResolve, TransposedConvolution) {
  const auto n = numbers_of<tf::Convolution>(all_operators(), OperatorCode::transpose_conv);
  EXPECT_EQ(n.kind, tf::Convolution::Kind::transposed);
  EXPECT_EQ(n.input_height, 2);
  EXPECT_EQ(n.output_height, 4);
  EXPECT_EQ(n.input_channels, 8);
  EXPECT_EQ(n.output_channels, 3);
  EXPECT_EQ(n.pads, (tf::Pads{0, 0, 1, 1}));
  EXPECT_EQ(n.bias, -1);
}

TEST(TfliteResolve, SumsAndProducts) {
  const ModelParts parts = all_operators();
  const auto sum = numbers_of<tf::Sum>(parts, OperatorCode::add);
  EXPECT_FALSE(sum.subtract);
  // Scales 0.05 and 0.07, output 0.05: the larger one becomes 1/2.
  EXPECT_NEAR(value_of(sum.input_multiplier[0]), 0.05 / 0.14, 1e-8);
  EXPECT_EQ(sum.input_multiplier[1], (tf::QuantisedMultiplier{1 << 30, 0}));
  EXPECT_NEAR(value_of(sum.output_multiplier) * (1 << 20), 0.14 / 0.05, 1e-6);
  EXPECT_EQ(sum.input_zero[1], -4);
  EXPECT_EQ(sum.clamp, (tf::Clamp{3, 127}));  // RELU with zero point 3
  const auto difference = numbers_of<tf::Sum>(parts, OperatorCode::sub);
  EXPECT_TRUE(difference.subtract);
  EXPECT_FALSE(difference.broadcast[0]);
  EXPECT_TRUE(difference.broadcast[1]);
  const auto product = numbers_of<tf::Product>(parts, OperatorCode::mul);
  EXPECT_NEAR(value_of(product.multiplier), 0.05, 1e-9);
  EXPECT_EQ(product.clamp, (tf::Clamp{3, 123}));  // RELU6: 3 + 6 / 0.05
  const auto one = numbers_of<tf::Rescale>(parts, OperatorCode::relu_n1_to_1);
  EXPECT_EQ(one.clamp, (tf::Clamp{-17, 23}));
}

TEST(TfliteResolve, MeanDividesInTheMultiplier) {
  const auto n = numbers_of<tf::Mean>(all_operators(), OperatorCode::mean);
  EXPECT_EQ(n.axes, 4U);  // -1 of three dimensions
  EXPECT_EQ(n.count, 3);
  // The scales are equal: 2^30, shift 1. One more bit fits, because 3 has two: 2^31 / 3, shift 0.
  EXPECT_EQ(n.multiplier, (tf::QuantisedMultiplier{static_cast<std::int32_t>((std::int64_t{1} << 31) / 3), 0}));
}

TEST(TfliteResolve, MeanKeepsTheShiftInRange) {
  ModelParts parts = all_operators();
  const std::size_t index = find(parts, OperatorCode::mean);
  // The scales differ by 2^31, so only one bit fits before the shift reaches -31. The division by 3 would take two bits.
  parts.tensors[static_cast<std::size_t>(parts.operators[index].inputs[0])].scales = {0x1p-31F};
  parts.tensors[static_cast<std::size_t>(parts.operators[index].outputs[0])].scales = {1};
  const Result<tf::Operation> operation = resolved(parts, index);
  ASSERT_TRUE(operation);
  EXPECT_EQ(std::get_if<tf::Mean>(&operation.value())->multiplier,
            (tf::QuantisedMultiplier{static_cast<std::int32_t>((std::int64_t{1} << 31) / 3), -31}));
}

TEST(TfliteResolve, SigmoidsAndSoftmax) {
  const auto logistic = numbers_of<tf::Sigmoid>(all_operators(), OperatorCode::logistic);
  EXPECT_FALSE(logistic.tanh);
  EXPECT_NEAR(value_of(logistic.multiplier), 0.05 * (1 << 27), 1);
  EXPECT_EQ(logistic.radius, 240);  // 15 * 2^27 / 2^23
  const auto softmax = numbers_of<tf::Softmax>(all_operators(), OperatorCode::softmax);
  EXPECT_EQ(softmax.rows, 1);
  EXPECT_EQ(softmax.depth, 5);
  EXPECT_EQ(softmax.least_difference, -124);
}

TEST(TfliteResolve, SlicesWithMasksAndNegativeStrides) {
  const auto n = numbers_of<tf::Slice>(all_operators(), OperatorCode::strided_slice);
  EXPECT_EQ(n.rank, 4U);
  EXPECT_EQ((std::vector(n.begin.begin(), n.begin.begin() + 4)), (std::vector<std::int32_t>{0, 0, 0, 4}));
  EXPECT_EQ((std::vector(n.count.begin(), n.count.begin() + 4)), (std::vector<std::int32_t>{1, 2, 3, 3}));
  EXPECT_EQ(n.stride[3], -2);
}

TEST(TfliteResolve, LayoutOperators) {
  const ModelParts parts = all_operators();
  EXPECT_EQ(numbers_of<tf::Concatenation>(parts, OperatorCode::concatenation).axis, 3U);
  EXPECT_TRUE(numbers_of<tf::Concatenation>(parts, OperatorCode::pack).pack);
  EXPECT_EQ(numbers_of<tf::Split>(parts, OperatorCode::split).axis, 3U);
  EXPECT_TRUE(numbers_of<tf::Split>(parts, OperatorCode::unpack).unpack);
  EXPECT_EQ(numbers_of<tf::Transpose>(parts, OperatorCode::transpose).permutation[1], 2);
  const auto pad = numbers_of<tf::Pad>(parts, OperatorCode::pad);
  EXPECT_EQ(pad.before[1], 1);
  EXPECT_EQ(pad.after[1], 0);
  EXPECT_EQ(pad.value, 3);
  EXPECT_EQ(numbers_of<tf::Pad>(parts, OperatorCode::padv2).value, 9);
}

struct Refusal {
  const char *name;
  OperatorCode code;
  std::function<void(ModelParts &, OperatorPart &)> damage;
  ErrorCode error;
  const char *what;
  std::int64_t value;
};

class TfliteOperatorRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(TfliteOperatorRefusal, NamesOperandAndValue) {
  ModelParts parts = all_operators();
  const std::size_t index = find(parts, GetParam().code);
  GetParam().damage(parts, parts.operators[index]);
  const Status status = resolved(parts, index).status();
  EXPECT_EQ(status.code(), GetParam().error) << error_name(status.code());
  EXPECT_STREQ(status.what(), GetParam().what);
  EXPECT_EQ(status.index(), static_cast<std::int32_t>(index));
  EXPECT_EQ(status.value(), GetParam().value);
}

TensorPart &tensor(ModelParts &parts, std::int32_t index) { return parts.tensors[static_cast<std::size_t>(index)]; }
TensorPart &input(ModelParts &parts, const OperatorPart &op, std::size_t index) { return tensor(parts, op.inputs[index]); }
TensorPart &output(ModelParts &parts, const OperatorPart &op) { return tensor(parts, op.outputs[0]); }
/// Changes one number of a constant of int32.
void set_word(ModelParts &parts, std::int32_t constant, std::size_t place, std::int32_t value) {
  std::memcpy(parts.buffers[tensor(parts, constant).buffer].data.data() + 4 * place, &value, 4);
}
void set_type(TensorPart &part, ElementType type) { part.type = static_cast<std::int8_t>(type); }
template <typename Create, typename... Arguments>
void set_options(OperatorPart &op, Type type, const Create &create, Arguments... arguments) {
  op.options_type = type;
  op.options = [=](flatbuffers::FlatBufferBuilder &builder) { return create(builder, arguments...).Union(); };
}
/// Options of CONV_2D: padding, strides, activation, dilations.
void set_convolution(OperatorPart &op, std::int8_t padding, std::int32_t stride, std::int8_t activation, std::int32_t dilation) {
  set_options(op, Type::Conv2DOptions, schema::CreateConv2DOptions, padding, stride, 2, activation, dilation, 1);
}

constexpr ErrorCode kMalformed = ErrorCode::image_malformed, kRange = ErrorCode::field_out_of_range, kUnsupported = ErrorCode::unsupported,
                    kShape = ErrorCode::shape_mismatch;
constexpr OperatorCode kConvolution = OperatorCode::conv_2d, kDepthwise = OperatorCode::depthwise_conv_2d,
                       kDense = OperatorCode::fully_connected;

const Refusal kRefusals[] = {
    {"operator", kConvolution, [](ModelParts &p, OperatorPart &op) { p.codes[op.code].code = 47; }, kUnsupported, "operator", 47},
    {"version", kConvolution, [](ModelParts &p, OperatorPart &op) { p.codes[op.code].version = 8; }, kUnsupported, "operator_code.version",
     8},
    {"no_options", kConvolution, [](ModelParts &, OperatorPart &op) { op.options = {}, op.options_type = Type::NONE; }, kMalformed,
     "operator.builtin_options", 0},
    {"other_options", kConvolution,
     [](ModelParts &, OperatorPart &op) { set_options(op, Type::SoftmaxOptions, schema::CreateSoftmaxOptions, 1.0F); }, kMalformed,
     "operator.builtin_options", 9},
    {"padding", kConvolution, [](ModelParts &, OperatorPart &op) { set_convolution(op, 2, 2, 0, 1); }, kRange, "padding", 2},
    {"activation_range", kConvolution, [](ModelParts &, OperatorPart &op) { set_convolution(op, 0, 2, 6, 1); }, kRange, "activation", 6},
    {"activation", kConvolution, [](ModelParts &, OperatorPart &op) { set_convolution(op, 0, 2, 4, 1); }, kUnsupported, "activation", 4},
    {"stride_zero", kConvolution, [](ModelParts &, OperatorPart &op) { set_convolution(op, 0, 0, 0, 1); }, kRange, "stride_w", 0},
    {"dilation_negative", kConvolution, [](ModelParts &, OperatorPart &op) { set_convolution(op, 0, 2, 0, -1); }, kRange,
     "dilation_w_factor", -1},
    {"output_height", kConvolution, [](ModelParts &, OperatorPart &op) { set_convolution(op, 1, 2, 0, 1); }, kShape, "output's height", 3},
    {"missing_input", kConvolution, [](ModelParts &, OperatorPart &op) { op.inputs = {op.inputs[0]}; }, kMalformed, "number of inputs", 1},
    {"absent_input", kConvolution, [](ModelParts &, OperatorPart &op) { op.inputs[1] = -1; }, kMalformed, "absent input", 1},
    {"input_type", kConvolution,
     [](ModelParts &p, OperatorPart &op) { set_type(input(p, op, 0), ElementType::uint8), input(p, op, 0).zero_points = {3}; },
     kUnsupported, "input: type", 3},
    {"without_scale", kConvolution, [](ModelParts &p, OperatorPart &op) { input(p, op, 0).scales.clear(); }, kUnsupported,
     "tensor without quantisation", 0},
    {"weights_dimension", kConvolution,
     [](ModelParts &p, OperatorPart &op) {
       input(p, op, 1).dimension = 1, input(p, op, 1).scales.resize(3), input(p, op, 1).zero_points.resize(3);
     },
     kUnsupported, "weights: quantized_dimension", 1},
    {"weights_zero", kConvolution, [](ModelParts &p, OperatorPart &op) { input(p, op, 1).zero_points[2] = 5; }, kUnsupported,
     "weights: zero point", 5},
    {"weights_not_constant", kConvolution,
     [](ModelParts &p, OperatorPart &op) { input(p, op, 1).buffer = 0, p.inputs.push_back(op.inputs[1]); }, kUnsupported,
     "weights are not constant", 0},
    {"bias_type", kConvolution, [](ModelParts &p, OperatorPart &op) { set_type(input(p, op, 2), ElementType::float32); }, kUnsupported,
     "bias: type", 0},
    {"bias_size", kConvolution,
     [](ModelParts &p, OperatorPart &op) {
       op.inputs[2] = p.constant<std::int32_t>({3}, {1, 2, 3}, ElementType::int32);
     },
     kShape, "bias", 3},
    {"large_multiplier", kConvolution, [](ModelParts &p, OperatorPart &op) { input(p, op, 1).scales[3] = 1e30F; }, kUnsupported,
     "multiplier of a channel", 100},
    {"depth_multiplier", kDepthwise,
     [](ModelParts &, OperatorPart &op) {
       set_options(op, Type::DepthwiseConv2DOptions, schema::CreateDepthwiseConv2DOptions, std::int8_t{1}, 1, 1, 3, std::int8_t{0}, 1, 1);
     },
     kShape, "depth_multiplier", 12},
    {"weights_format", kDense,
     [](ModelParts &, OperatorPart &op) {
       set_options(op, Type::FullyConnectedOptions, schema::CreateFullyConnectedOptions, std::int8_t{0}, std::int8_t{1}, false, false);
     },
     kUnsupported, "weights_format", 1},
    {"dense_output", kDense,
     [](ModelParts &p, OperatorPart &op) {
       output(p, op).shape = {5, 1};
     },
     kShape, "output's columns", 1},
    {"pool_quantisation", OperatorCode::average_pool_2d, [](ModelParts &p, OperatorPart &op) { output(p, op).zero_points = {4}; },
     kUnsupported, "output's quantisation", 4},
    {"pool_window", OperatorCode::max_pool_2d,
     [](ModelParts &, OperatorPart &op) {
       set_options(op, Type::Pool2DOptions, schema::CreatePool2DOptions, std::int8_t{0}, 2, 2, 0, 3, std::int8_t{0});
     },
     kRange, "filter_width", 0},
    {"broadcast", OperatorCode::sub,
     [](ModelParts &p, OperatorPart &op) {
       input(p, op, 1).shape = {2, 1};
     },
     kShape, "inputs' shapes", 2},
    {"binary_inputs", OperatorCode::add, [](ModelParts &, OperatorPart &op) { op.inputs.pop_back(); }, kMalformed, "number of inputs", 1},
    {"extremum_scales", OperatorCode::maximum, [](ModelParts &p, OperatorPart &op) { output(p, op).scales = {0.06F}; }, kUnsupported,
     "output's quantisation", 0},
    {"softmax_scale", OperatorCode::softmax, [](ModelParts &p, OperatorPart &op) { output(p, op).scales = {0.01F}; }, kUnsupported,
     "output: scale", 0},
    {"softmax_zero", OperatorCode::softmax, [](ModelParts &p, OperatorPart &op) { output(p, op).zero_points = {0}; }, kUnsupported,
     "output: zero point", 0},
    {"softmax_beta", OperatorCode::softmax,
     [](ModelParts &, OperatorPart &op) { set_options(op, Type::SoftmaxOptions, schema::CreateSoftmaxOptions, -1.0F); }, kUnsupported,
     "beta", 0},
    {"softmax_shape", OperatorCode::softmax,
     [](ModelParts &p, OperatorPart &op) {
       output(p, op).shape = {5, 1};
     },
     kShape, "output's shape", 5},
    {"tanh_zero", OperatorCode::tanh, [](ModelParts &p, OperatorPart &op) { output(p, op).zero_points = {1}; }, kUnsupported,
     "output: zero point", 1},
    {"quantise_type", OperatorCode::dequantize, [](ModelParts &p, OperatorPart &op) { set_type(output(p, op), ElementType::float16); },
     kUnsupported, "output: type", 1},
    {"pads_negative", OperatorCode::pad, [](ModelParts &p, OperatorPart &op) { set_word(p, op.inputs[1], 2, -1); }, kRange, "paddings", -1},
    {"pads_shape", OperatorCode::pad, [](ModelParts &p, OperatorPart &op) { set_word(p, op.inputs[1], 2, 2); }, kShape, "output's shape",
     5},
    {"pads_overflow", OperatorCode::pad, [](ModelParts &p, OperatorPart &op) { set_word(p, op.inputs[1], 2, INT32_MAX); }, kShape,
     "output's shape", 5},
    {"mean_axis", OperatorCode::mean, [](ModelParts &p, OperatorPart &op) { set_word(p, op.inputs[1], 0, 3); }, kRange, "axes", 3},
    {"axes_not_constant", OperatorCode::mean,
     [](ModelParts &p, OperatorPart &op) { input(p, op, 1).buffer = 0, p.inputs.push_back(op.inputs[1]); }, kUnsupported, "axes", 52},
    {"concatenation_axis", OperatorCode::concatenation,
     [](ModelParts &,
        OperatorPart &op) { set_options(op, Type::ConcatenationOptions, schema::CreateConcatenationOptions, 4, std::int8_t{0}); },
     kRange, "axis", 4},
    {"concatenation_activation", OperatorCode::concatenation,
     [](ModelParts &,
        OperatorPart &op) { set_options(op, Type::ConcatenationOptions, schema::CreateConcatenationOptions, -1, std::int8_t{1}); },
     kUnsupported, "activation", 1},
    {"split_count", OperatorCode::split,
     [](ModelParts &, OperatorPart &op) { set_options(op, Type::SplitOptions, schema::CreateSplitOptions, 3); }, kShape, "num_splits", 3},
    {"pack_count", OperatorCode::pack,
     [](ModelParts &, OperatorPart &op) { set_options(op, Type::PackOptions, schema::CreatePackOptions, 3, 0); }, kShape, "values_count",
     3},
    {"permutation_twice", OperatorCode::transpose, [](ModelParts &p, OperatorPart &op) { set_word(p, op.inputs[1], 3, 2); }, kMalformed,
     "permutation", 2},
    {"slice_stride", OperatorCode::strided_slice, [](ModelParts &p, OperatorPart &op) { set_word(p, op.inputs[3], 1, 0); }, kRange,
     "strides", 0},
    {"slice_dropped", OperatorCode::strided_slice, [](ModelParts &p, OperatorPart &op) { set_word(p, op.inputs[1], 0, 1); }, kRange,
     "begin", 1},
    {"slice_ellipsis", OperatorCode::strided_slice,
     [](ModelParts &,
        OperatorPart &op) { set_options(op, Type::StridedSliceOptions, schema::CreateStridedSliceOptions, 0, 8, 1, 0, 1, false); },
     kUnsupported, "ellipsis_mask", 1},
    {"resize_both", OperatorCode::resize_bilinear,
     [](ModelParts &,
        OperatorPart &op) { set_options(op, Type::ResizeBilinearOptions, schema::CreateResizeBilinearOptions, 0, 0, true, true); },
     kMalformed, "align_corners and half_pixel_centers", 0},
    {"resize_size", OperatorCode::resize_nearest_neighbor, [](ModelParts &p, OperatorPart &op) { set_word(p, op.inputs[1], 1, 5); }, kShape,
     "output's shape", 4},
};

INSTANTIATE_TEST_SUITE_P(Each, TfliteOperatorRefusal, testing::ValuesIn(kRefusals), [](const auto &row) { return row.param.name; });

}  // namespace
}  // namespace cox::tests::tflite_resolve
