// SPDX-License-Identifier: MIT
#include "tests/tflite/model_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace cox::tests::tflite_models {

namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

Offset<schema::Tensor> write(FlatBufferBuilder &builder, const TensorPart &part) {
  Offset<schema::QuantizationParameters> quantisation;
  if (!part.scales.empty() || part.custom_quantisation) {
    const Offset<void> custom = part.custom_quantisation ? schema::CreateCustomQuantization(builder).Union() : Offset<void>();
    const auto scales = builder.CreateVector(part.scales);
    const auto zero_points = builder.CreateVector(part.zero_points);
    schema::QuantizationParametersBuilder table(builder);
    table.add_scale(scales);
    table.add_zero_point(zero_points);
    table.add_quantized_dimension(part.dimension);
    if (part.custom_quantisation) {
      table.add_details_type(schema::QuantizationDetails::CustomQuantization);
      table.add_details(custom);
    }
    quantisation = table.Finish();
  }
  Offset<schema::SparsityParameters> sparsity;
  if (part.sparse) sparsity = schema::CreateSparsityParameters(builder);
  const auto shape = builder.CreateVector(part.shape);
  const auto name = builder.CreateString(part.name);
  return schema::CreateTensor(builder, shape, part.type, part.buffer, name, quantisation, part.variable, sparsity);
}

Offset<schema::Operator> write(FlatBufferBuilder &builder, const OperatorPart &part) {
  const Offset<void> options = part.options ? part.options(builder) : Offset<void>();
  const auto inputs = builder.CreateVector(part.inputs), outputs = builder.CreateVector(part.outputs);
  return schema::CreateOperator(builder, part.code, inputs, outputs, part.options_type, options);
}

std::vector<std::uint8_t> write(const ModelParts &parts) {
  FlatBufferBuilder builder;
  std::vector<Offset<schema::Tensor>> tensors;
  for (const TensorPart &part : parts.tensors) tensors.push_back(write(builder, part));
  std::vector<Offset<schema::Operator>> operators;
  for (const OperatorPart &part : parts.operators) operators.push_back(write(builder, part));
  const auto tensor_list = builder.CreateVector(tensors);
  const auto operator_list = builder.CreateVector(operators);
  const auto inputs = builder.CreateVector(parts.inputs), outputs = builder.CreateVector(parts.outputs);
  std::vector<Offset<schema::SubGraph>> graphs;
  for (unsigned i = 0; i < parts.subgraphs; ++i)
    graphs.push_back(schema::CreateSubGraph(builder, tensor_list, inputs, outputs, operator_list));
  std::vector<Offset<schema::OperatorCode>> codes;
  for (const CodePart &part : parts.codes) {
    const auto custom = part.custom.empty() ? Offset<flatbuffers::String>() : builder.CreateString(part.custom);
    const std::int8_t deprecated = part.deprecated_code.value_or(static_cast<std::int8_t>(std::min(part.code, 127)));
    codes.push_back(schema::CreateOperatorCode(builder, deprecated, custom, part.version, part.code));
  }
  std::vector<Offset<schema::Buffer>> buffers;
  for (const BufferPart &part : parts.buffers) {
    builder.ForceVectorAlignment(part.data.size(), 1, 16);
    const auto data = part.data.empty() ? Offset<flatbuffers::Vector<std::uint8_t>>() : builder.CreateVector(part.data);
    buffers.push_back(schema::CreateBuffer(builder, data, part.offset, part.size));
  }
  const auto code_list = builder.CreateVector(codes);
  const auto graph_list = builder.CreateVector(graphs);
  const auto buffer_list = builder.CreateVector(buffers);
  const auto description = builder.CreateString("made by a test");
  const auto root = schema::CreateModel(builder, parts.version, code_list, graph_list, description, buffer_list);
  builder.Finish(root, parts.identifier.c_str());
  return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
}

}  // namespace

std::int32_t ModelParts::tensor(std::vector<std::int32_t> shape, float scale, std::int64_t zero_point, ElementType type) {
  TensorPart part;
  part.shape = std::move(shape);
  part.type = static_cast<std::int8_t>(type);
  part.name = "tensor" + std::to_string(tensors.size());
  if (scale != 0) {
    part.scales = {scale};
    part.zero_points = {zero_point};
  }
  tensors.push_back(std::move(part));
  return static_cast<std::int32_t>(tensors.size()) - 1;
}

std::size_t ModelParts::op(OperatorCode code, std::vector<std::int32_t> op_inputs, std::vector<std::int32_t> op_outputs,
                           schema::BuiltinOptions options_type, Options options) {
  operators.push_back(
      {static_cast<std::uint32_t>(codes.size()), std::move(op_inputs), std::move(op_outputs), options_type, std::move(options)});
  CodePart part;
  part.code = static_cast<std::int32_t>(code);
  codes.push_back(part);
  return operators.size() - 1;
}

File::File(std::span<const std::uint8_t> bytes) : size_(bytes.size()) {
  void *memory = nullptr;
  if (posix_memalign(&memory, 16, std::max<std::size_t>(size_, 1)) != 0) std::abort();
  data_ = static_cast<std::uint8_t *>(memory);
  std::copy(bytes.begin(), bytes.end(), data_);
}

File::File(const ModelParts &parts) : File(std::span<const std::uint8_t>(write(parts))) {}

File::~File() { std::free(data_); }

File read(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  return File(std::span<const std::uint8_t>(bytes));
}

ModelParts convolution_and_add() {
  ModelParts parts;
  const std::int32_t image = parts.tensor({1, 5, 5, 2}, 0.5F, -3);
  const std::int32_t weights = parts.constant<std::int8_t>({4, 3, 3, 2}, std::vector<std::int8_t>(72, 5), ElementType::int8);
  parts.tensors.back().scales = {0.25F, 0.125F, 0.5F, 1};
  parts.tensors.back().zero_points = {0, 0, 0, 0};
  const std::int32_t bias = parts.constant<std::int32_t>({4}, {1, 2, 3, 4}, ElementType::int32);
  parts.tensors.back().scales = {0.125F, 0.0625F, 0.25F, 0.5F};
  parts.tensors.back().zero_points = {0, 0, 0, 0};
  const std::int32_t features = parts.tensor({1, 5, 5, 4}, 2, 7);
  const std::int32_t other = parts.tensor({1, 5, 5, 4}, 1, -1);
  const std::int32_t sum = parts.tensor({1, 5, 5, 4}, 4, 2);
  parts.op(OperatorCode::conv_2d, {image, weights, bias}, {features}, schema::BuiltinOptions::Conv2DOptions,
           [](FlatBufferBuilder &builder) { return schema::CreateConv2DOptions(builder, 0, 1, 1, 1).Union(); });
  parts.op(OperatorCode::add, {features, other}, {sum}, schema::BuiltinOptions::AddOptions,
           [](FlatBufferBuilder &builder) { return schema::CreateAddOptions(builder).Union(); });
  parts.inputs = {image, other};
  parts.outputs = {sum};
  return parts;
}

namespace {

/// Returns a function that makes options with `create`, a function of the generated header.
template <typename Create, typename... Arguments>
Options options_of(const Create &create, Arguments... arguments) {
  return [=](FlatBufferBuilder &builder) { return create(builder, arguments...).Union(); };
}

}  // namespace

ModelParts all_operators() {
  using Type = schema::BuiltinOptions;
  ModelParts parts;
  const auto words = [&parts](const std::vector<std::int32_t> &values) {
    return parts.constant<std::int32_t>({static_cast<std::int32_t>(values.size())}, values, ElementType::int32);
  };
  const auto weights = [&parts](const std::vector<std::int32_t> &shape, std::int32_t dimension) {
    std::size_t count = 1;
    for (const std::int32_t size : shape) count *= static_cast<std::size_t>(size);
    std::vector<std::int8_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int8_t>(i * 37 % 255 - 127);
    const std::int32_t index = parts.constant<std::int8_t>(shape, values, ElementType::int8);
    const auto channels = static_cast<std::size_t>(shape[static_cast<std::size_t>(dimension)]);
    for (std::size_t i = 0; i < channels; ++i) parts.tensors.back().scales.push_back(0.002F * static_cast<float>(i + 1));
    parts.tensors.back().zero_points.assign(channels, 0);
    parts.tensors.back().dimension = dimension;
    return index;
  };
  const float scale = 0.05F;
  const auto result = [&](std::vector<std::int32_t> shape, std::int64_t zero = 3) { return parts.tensor(std::move(shape), scale, zero); };

  const std::int32_t image = result({1, 6, 6, 2}), real = parts.tensor({1, 6, 6, 2}, 0, 0, ElementType::float32);
  const std::int32_t quantised = result({1, 6, 6, 2});
  parts.op(OperatorCode::quantize, {real}, {quantised});
  const std::int32_t requantised = parts.tensor({1, 6, 6, 2}, 0.07F, -4);
  parts.op(OperatorCode::quantize, {quantised}, {requantised});
  const std::int32_t sum = result({1, 6, 6, 2});
  parts.op(OperatorCode::add, {image, requantised}, {sum}, Type::AddOptions, options_of(schema::CreateAddOptions, std::int8_t{1}, true));
  const std::int32_t row = parts.constant<std::int8_t>({2}, {5, -6}, ElementType::int8, 0.1F, 1);
  const std::int32_t difference = result({1, 6, 6, 2});
  parts.op(OperatorCode::sub, {sum, row}, {difference}, Type::SubOptions, options_of(schema::CreateSubOptions, std::int8_t{0}, true));
  const std::int32_t product = result({1, 6, 6, 2});
  parts.op(OperatorCode::mul, {difference, sum}, {product}, Type::MulOptions, options_of(schema::CreateMulOptions, std::int8_t{3}));
  const std::int32_t most = result({1, 6, 6, 2}), least = result({1, 6, 6, 2});
  parts.op(OperatorCode::maximum, {product, quantised}, {most});
  parts.op(OperatorCode::minimum, {most, image}, {least});
  const std::int32_t rectified = result({1, 6, 6, 2}), six = result({1, 6, 6, 2}), one = result({1, 6, 6, 2});
  parts.op(OperatorCode::relu, {least}, {rectified});
  parts.op(OperatorCode::relu6, {least}, {six});
  parts.op(OperatorCode::relu_n1_to_1, {least}, {one});
  const std::int32_t logistic = parts.tensor({1, 6, 6, 2}, 1.0F / 256, -128), tangent = parts.tensor({1, 6, 6, 2}, 1.0F / 128, 0);
  parts.op(OperatorCode::logistic, {rectified}, {logistic});
  parts.op(OperatorCode::tanh, {six}, {tangent});

  const std::int32_t bias = words({100, -200, 300, 0});
  const std::int32_t features = result({1, 3, 3, 4});
  parts.op(OperatorCode::conv_2d, {one, weights({4, 3, 3, 2}, 0), bias}, {features}, Type::Conv2DOptions,
           options_of(schema::CreateConv2DOptions, std::int8_t{0}, 2, 2, std::int8_t{1}, 1, 1));
  const std::int32_t depthwise = result({1, 2, 2, 8});
  parts.op(OperatorCode::depthwise_conv_2d, {features, weights({1, 2, 2, 8}, 3), -1}, {depthwise}, Type::DepthwiseConv2DOptions,
           options_of(schema::CreateDepthwiseConv2DOptions, std::int8_t{1}, 1, 1, 2, std::int8_t{0}, 1, 1));
  const std::int32_t enlarged = result({1, 4, 4, 3});
  parts.op(OperatorCode::transpose_conv, {words({1, 4, 4, 3}), weights({3, 3, 3, 8}, 0), depthwise}, {enlarged}, Type::TransposeConvOptions,
           options_of(schema::CreateTransposeConvOptions, std::int8_t{0}, 2, 2, std::int8_t{0}));
  const std::int32_t padded = result({1, 5, 6, 3}), padded_by = result({1, 6, 6, 3});
  parts.op(OperatorCode::pad, {enlarged, words({0, 0, 1, 0, 1, 1, 0, 0})}, {padded});
  const std::int32_t value = parts.constant<std::int8_t>({}, {9}, ElementType::int8, scale, 3);
  parts.op(OperatorCode::padv2, {padded, words({0, 0, 0, 1, 0, 0, 0, 0}), value}, {padded_by});
  const std::int32_t average = result({1, 3, 3, 3}), maximum = result({1, 3, 3, 3});
  const auto pool = options_of(schema::CreatePool2DOptions, std::int8_t{0}, 2, 2, 3, 3, std::int8_t{0});
  parts.op(OperatorCode::average_pool_2d, {padded_by}, {average}, Type::Pool2DOptions, pool);
  parts.op(OperatorCode::max_pool_2d, {padded_by}, {maximum}, Type::Pool2DOptions, pool);
  const std::int32_t beside = result({1, 3, 3, 6});
  parts.op(OperatorCode::concatenation, {average, maximum}, {beside}, Type::ConcatenationOptions,
           options_of(schema::CreateConcatenationOptions, -1, std::int8_t{0}));
  const std::int32_t left = result({1, 3, 3, 3}), right = result({1, 3, 3, 3});
  parts.op(OperatorCode::split, {words({3}), beside}, {left, right}, Type::SplitOptions, options_of(schema::CreateSplitOptions, 2));
  const std::int32_t packed = result({2, 1, 3, 3, 3});
  parts.op(OperatorCode::pack, {left, right}, {packed}, Type::PackOptions, options_of(schema::CreatePackOptions, 2, 0));
  const std::int32_t first = result({1, 3, 3, 3}), second = result({1, 3, 3, 3});
  parts.op(OperatorCode::unpack, {packed}, {first, second}, Type::UnpackOptions, options_of(schema::CreateUnpackOptions, 2, 0));
  const std::int32_t smooth = result({1, 5, 4, 3}), nearest = result({1, 5, 4, 3});
  parts.op(OperatorCode::resize_bilinear, {first, words({5, 4})}, {smooth}, Type::ResizeBilinearOptions,
           options_of(schema::CreateResizeBilinearOptions, 0, 0, false, true));
  parts.op(OperatorCode::resize_nearest_neighbor, {second, words({5, 4})}, {nearest}, Type::ResizeNearestNeighborOptions,
           options_of(schema::CreateResizeNearestNeighborOptions, true, false));
  const std::int32_t both = result({1, 5, 4, 3}), turned = result({1, 4, 3, 5});
  parts.op(OperatorCode::maximum, {smooth, nearest}, {both});
  parts.op(OperatorCode::transpose, {both, words({0, 2, 3, 1})}, {turned});
  const std::int32_t part = result({2, 3, 3});
  parts.op(OperatorCode::strided_slice, {turned, words({0, 0, 0, 4}), words({1, 4, 3, -6}), words({1, 2, 1, -2})}, {part},
           Type::StridedSliceOptions, options_of(schema::CreateStridedSliceOptions, 0, 8, 0, 0, 1, false));
  const std::int32_t mean = result({2, 3}), expanded = result({2, 1, 3}), squeezed = result({2, 3}), flat = result({1, 6});
  parts.op(OperatorCode::mean, {part, words({-1})}, {mean}, Type::ReducerOptions, options_of(schema::CreateReducerOptions, false));
  parts.op(OperatorCode::expand_dims, {mean, words({1})}, {expanded});
  parts.op(OperatorCode::squeeze, {expanded}, {squeezed});
  parts.op(OperatorCode::reshape, {squeezed, words({1, 6})}, {flat});
  const std::int32_t dense = parts.tensor({1, 5}, 0.2F, -10);
  parts.op(OperatorCode::fully_connected,
           {flat, parts.constant<std::int8_t>({5, 6}, std::vector<std::int8_t>(30, 11), ElementType::int8, 0.02F, 2)}, {dense},
           Type::FullyConnectedOptions, options_of(schema::CreateFullyConnectedOptions, std::int8_t{0}, std::int8_t{0}, false, false));
  const std::int32_t probabilities = parts.tensor({1, 5}, 1.0F / 256, -128);
  parts.op(OperatorCode::softmax, {dense}, {probabilities}, Type::SoftmaxOptions, options_of(schema::CreateSoftmaxOptions, 1.0F));
  const std::int32_t real_result = parts.tensor({1, 5}, 0, 0, ElementType::float32);
  parts.op(OperatorCode::dequantize, {probabilities}, {real_result});
  parts.inputs = {image, real};
  parts.outputs = {real_result, logistic, tangent, probabilities};
  return parts;
}

}  // namespace cox::tests::tflite_models
