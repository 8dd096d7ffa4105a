// SPDX-License-Identifier: MIT
// Reads models, and refuses files with one wrong field. Each refusal names the field, the tensor or operator, and the value.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "coxswain/tflite/model.h"
#include "tests/tflite/model_builder.h"

namespace cox::tests::tflite_reader {
namespace {

using namespace cox::tests::tflite_models;  // NOLINT(google-build-using-namespace)
using cox::tflite::Model;
using cox::tflite::OperatorView;
using cox::tflite::TensorUse;
using cox::tflite::TensorView;

Status status_of(const File &file) {
  std::vector<TensorUse> workspace(64);
  return cox::tflite::open(file.view(), workspace).status();
}

TEST(TfliteReader, ShowsTensorsAndOperators) {
  const File file(convolution_and_add());
  ASSERT_EQ(cox::tflite::tensor_count(file.view()).value(), 6U);
  std::vector<TensorUse> workspace(6);
  const Result<Model> opened = cox::tflite::open(file.view(), workspace);
  ASSERT_TRUE(opened) << opened.status().what();
  const Model &model = opened.value();

  EXPECT_EQ(model.description(), "made by a test");
  EXPECT_EQ(model.tensors(), 6U);
  const TensorView weights = model.tensor(1);
  EXPECT_EQ(weights.name, "tensor1");
  EXPECT_EQ(weights.type, ElementType::int8);
  EXPECT_EQ(weights.shape, (cox::tflite::Shape{4, 3, 3, 2}));
  EXPECT_EQ(weights.bytes, 72U);
  EXPECT_EQ(weights.data.size(), 72U);
  EXPECT_EQ(weights.data[71], std::byte{5});
  ASSERT_TRUE(weights.quantisation.per_channel());
  EXPECT_EQ(weights.quantisation.scale(2), 0.5F);
  const TensorView features = model.tensor(3);
  EXPECT_FALSE(features.constant());
  EXPECT_EQ(features.quantisation.zero_point(), 7);
  EXPECT_EQ(features.quantisation.scale(), 2.0F);

  ASSERT_EQ(model.operators(), 2U);
  const OperatorView convolution = model.op(0);
  EXPECT_EQ(convolution.code, OperatorCode::conv_2d);
  EXPECT_EQ(convolution.version, 1);
  EXPECT_EQ(convolution.inputs.size(), 3U);
  EXPECT_EQ(convolution.input(2), 2);
  EXPECT_EQ(convolution.input(3), cox::tflite::kAbsent);
  EXPECT_EQ(convolution.outputs.front(), 3);
  EXPECT_STREQ(cox::tflite::operator_name(model.op(1).code), "ADD");

  EXPECT_EQ(model.inputs().size(), 2U);
  EXPECT_EQ(model.outputs().front(), 5);
  EXPECT_TRUE(model.use(0).is_input);
  EXPECT_EQ(model.use(0).last_reader, 0);
  EXPECT_EQ(model.use(3).writer, 0);
  EXPECT_EQ(model.use(3).last_reader, 1);
  EXPECT_TRUE(model.use(5).is_output);
}

TEST(TfliteReader, NamesOperators) {
  const auto name = [](int number) { return std::string(cox::tflite::operator_name(static_cast<OperatorCode>(number))); };
  EXPECT_EQ(name(0), "ADD");
  EXPECT_EQ(name(3), "CONV_2D");
  EXPECT_EQ(name(40), "MEAN");
  EXPECT_EQ(name(67), "TRANSPOSE_CONV");
  EXPECT_EQ(name(97), "RESIZE_NEAREST_NEIGHBOR");
  EXPECT_EQ(name(114), "QUANTIZE");
  EXPECT_EQ(name(117), "HARD_SWISH");
  EXPECT_EQ(name(150), "GELU");
  EXPECT_EQ(name(161), "RIGHT_SHIFT");
  EXPECT_EQ(name(162), "unknown");
  EXPECT_EQ(name(-1), "unknown");
}

TEST(TfliteReader, TakesTheNumberOfNewOperatorsFromTheSecondField) {
  ModelParts parts = convolution_and_add();
  parts.codes[1].code = 150;
  const File file(parts);
  std::vector<TensorUse> workspace(6);
  const Result<Model> model = cox::tflite::open(file.view(), workspace);
  ASSERT_TRUE(model);
  EXPECT_STREQ(cox::tflite::operator_name(model.value().op(1).code), "GELU");
}

TEST(TfliteReader, AcceptsOptionalInputsVariablesAndScalars) {
  ModelParts parts = convolution_and_add();
  parts.operators[0].inputs[2] = -1;
  const std::int32_t state = parts.tensor({2, 3}, 1, 0);
  parts.tensors.back().variable = true;
  parts.operators[1].inputs.push_back(state);
  parts.operators[1].inputs.push_back(parts.constant<std::int32_t>({}, {7}, ElementType::int32));
  const File file(parts);
  EXPECT_TRUE(status_of(file).ok()) << status_of(file).what();
}

TEST(TfliteReader, WantsAnAlignedFileAndAWorkspace) {
  const File file(convolution_and_add());
  std::vector<TensorUse> workspace(5);
  const Status small = cox::tflite::open(file.view(), workspace).status();
  EXPECT_EQ(small.code(), ErrorCode::no_room);
  EXPECT_EQ(small.limit(), 6);
  std::vector<std::uint8_t> moved(file.view().size() + 32);
  const std::size_t shift = (16 - reinterpret_cast<std::uintptr_t>(moved.data()) % 16) % 16 + 4;
  std::memcpy(moved.data() + shift, file.view().data(), file.view().size());
  workspace.resize(6);
  EXPECT_EQ(cox::tflite::open(std::as_bytes(std::span(moved)).subspan(shift), workspace).status().code(), ErrorCode::invalid_argument);
}

struct Refusal {
  const char *name;
  std::function<void(ModelParts &)> damage;
  ErrorCode code;
  const char *what;
  std::int32_t index;
  std::int64_t value;
};

class TfliteRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(TfliteRefusal, NamesFieldIndexAndValue) {
  ModelParts parts = convolution_and_add();
  GetParam().damage(parts);
  const File file(parts);
  const Status status = status_of(file);
  EXPECT_EQ(status.code(), GetParam().code) << error_name(status.code());
  EXPECT_STREQ(status.what(), GetParam().what);
  EXPECT_EQ(status.index(), GetParam().index);
  EXPECT_EQ(status.value(), GetParam().value);
}

constexpr ErrorCode kMalformed = ErrorCode::image_malformed, kRange = ErrorCode::field_out_of_range, kUnsupported = ErrorCode::unsupported;

INSTANTIATE_TEST_SUITE_P(
    Field, TfliteRefusal,
    testing::Values(
        Refusal{"identifier", [](ModelParts &p) { p.identifier = "TFL2"; }, ErrorCode::image_magic, "identifier", -1, 0},
        Refusal{"version", [](ModelParts &p) { p.version = 2; }, ErrorCode::image_version, "version", -1, 2},
        Refusal{"no_subgraph", [](ModelParts &p) { p.subgraphs = 0; }, kMalformed, "subgraphs", -1, 0},
        Refusal{"two_subgraphs", [](ModelParts &p) { p.subgraphs = 2; }, kUnsupported, "subgraphs", -1, 2},
        Refusal{"no_tensors", [](ModelParts &p) { p.tensors.clear(); }, kMalformed, "tensors", -1, 0},
        Refusal{"too_many_tensors", [](ModelParts &p) { p.tensors.resize(8193, p.tensors[0]); }, kUnsupported, "tensors", -1, 8193},
        Refusal{"no_operators", [](ModelParts &p) { p.operators.clear(); }, kMalformed, "operators", -1, 0},
        Refusal{"too_many_operators", [](ModelParts &p) { p.operators.resize(8193, p.operators[1]); }, kUnsupported, "operators", -1, 8193},
        Refusal{"no_inputs", [](ModelParts &p) { p.inputs.clear(); }, kMalformed, "inputs", -1, 0},
        Refusal{"no_outputs", [](ModelParts &p) { p.outputs.clear(); }, kMalformed, "outputs", -1, 0},
        Refusal{"too_many_inputs", [](ModelParts &p) { p.inputs.resize(257, 0); }, kUnsupported, "inputs", -1, 257},
        Refusal{"no_buffers", [](ModelParts &p) { p.buffers.clear(); }, kMalformed, "buffers", -1, 0},
        Refusal{"no_codes", [](ModelParts &p) { p.codes.clear(); }, kMalformed, "operator_codes", -1, 0},
        Refusal{"input_outside", [](ModelParts &p) { p.inputs[1] = 6; }, kMalformed, "inputs", -1, 6},
        Refusal{"negative_input", [](ModelParts &p) { p.inputs[1] = -1; }, kMalformed, "inputs", -1, -1},
        Refusal{"constant_input", [](ModelParts &p) { p.inputs[1] = 1; }, kMalformed, "inputs: constant", -1, 1},
        Refusal{"output_outside", [](ModelParts &p) { p.outputs[0] = 9; }, kMalformed, "outputs", -1, 9},
        Refusal{"output_never_written", [](ModelParts &p) { p.outputs[0] = p.tensor({1}); }, kMalformed, "outputs: never written", -1, 6}),
    [](const auto &row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Tensor, TfliteRefusal,
    testing::Values(
        Refusal{"type_unknown", [](ModelParts &p) { p.tensors[3].type = 18; }, kUnsupported, "tensor.type", 3, 18},
        Refusal{"type_negative", [](ModelParts &p) { p.tensors[3].type = -1; }, kUnsupported, "tensor.type", 3, -1},
        Refusal{"type_string", [](ModelParts &p) { p.tensors[0].type = 5; }, kUnsupported, "tensor.type", 0, 5},
        Refusal{"sparse", [](ModelParts &p) { p.tensors[1].sparse = true; }, kUnsupported, "tensor.sparsity", 1, 0},
        Refusal{"rank", [](ModelParts &p) { p.tensors[4].shape = {1, 1, 1, 1, 1, 1, 1}; }, kUnsupported, "tensor.shape", 4, 7},
        Refusal{"dimension_zero", [](ModelParts &p) { p.tensors[4].shape[2] = 0; }, kRange, "tensor.shape", 4, 0},
        Refusal{"dimension_unknown", [](ModelParts &p) { p.tensors[0].shape[0] = -1; }, kRange, "tensor.shape", 0, -1},
        Refusal{"elements_overflow",
                [](ModelParts &p) {
                  p.tensors[0].shape = {65536, 65536};
                },
                ErrorCode::tensor_size, "tensor.shape", 0, std::int64_t{1} << 32},
        Refusal{"elements_overflow_twice",
                [](ModelParts &p) {
                  p.tensors[0].shape = {1 << 30, 1 << 30, 1 << 30, 16};
                },
                ErrorCode::tensor_size, "tensor.shape", 0, std::int64_t{1} << 60},
        Refusal{"bytes_overflow",
                [](ModelParts &p) {
                  p.tensors[0].shape = {1 << 30};
                  p.tensors[0].type = 2;
                },
                ErrorCode::tensor_size, "tensor.shape", 0, std::int64_t{1} << 32},
        Refusal{"buffer_outside", [](ModelParts &p) { p.tensors[5].buffer = 3; }, kMalformed, "tensor.buffer", 5, 3},
        Refusal{"buffer_behind_file", [](ModelParts &p) { p.buffers[1].offset = 4096; }, kUnsupported, "buffer.offset", 1, 4096},
        Refusal{"buffer_size", [](ModelParts &p) { p.buffers[1].data.pop_back(); }, ErrorCode::tensor_size, "buffer.data", 1, 71},
        Refusal{"buffer_of_other_type", [](ModelParts &p) { p.tensors[1].type = 2; }, ErrorCode::tensor_size, "buffer.data", 1, 72},
        Refusal{"variable_constant", [](ModelParts &p) { p.tensors[1].variable = true; }, kUnsupported, "variable tensor with data", 1, 72},
        Refusal{"custom_quantisation", [](ModelParts &p) { p.tensors[1].custom_quantisation = true; }, kUnsupported, "quantization.details",
                1, 1},
        Refusal{"quantised_dimension", [](ModelParts &p) { p.tensors[1].dimension = 4; }, kRange, "quantization.quantized_dimension", 1, 4},
        Refusal{"quantised_dimension_negative", [](ModelParts &p) { p.tensors[1].dimension = -1; }, kRange,
                "quantization.quantized_dimension", 1, -1},
        Refusal{"scale_count", [](ModelParts &p) { p.tensors[1].dimension = 1; }, kMalformed, "quantization.scale", 1, 4},
        Refusal{"scale_zero", [](ModelParts &p) { p.tensors[1].scales[3] = 0; }, kRange, "quantization.scale", 1, 3},
        Refusal{"scale_negative", [](ModelParts &p) { p.tensors[1].scales[2] = -0.5F; }, kRange, "quantization.scale", 1, 2},
        Refusal{"scale_infinite", [](ModelParts &p) { p.tensors[0].scales[0] = std::numeric_limits<float>::infinity(); }, kRange,
                "quantization.scale", 0, 0},
        Refusal{"scale_nan", [](ModelParts &p) { p.tensors[0].scales[0] = std::numeric_limits<float>::quiet_NaN(); }, kRange,
                "quantization.scale", 0, 0},
        Refusal{"zero_point_count", [](ModelParts &p) { p.tensors[1].zero_points.pop_back(); }, kMalformed, "quantization.zero_point", 1,
                3},
        Refusal{"zero_point_high", [](ModelParts &p) { p.tensors[0].zero_points[0] = 128; }, kRange, "quantization.zero_point", 0, 128},
        Refusal{"zero_point_low", [](ModelParts &p) { p.tensors[0].zero_points[0] = -129; }, kRange, "quantization.zero_point", 0, -129},
        Refusal{"zero_point_64_bits", [](ModelParts &p) { p.tensors[2].zero_points[1] = std::int64_t{1} << 32; }, kRange,
                "quantization.zero_point", 2, std::int64_t{1} << 32}),
    [](const auto &row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Operator, TfliteRefusal,
    testing::Values(
        Refusal{"code_outside", [](ModelParts &p) { p.operators[1].code = 2; }, kMalformed, "operator.opcode_index", 1, 2},
        Refusal{"code_negative", [](ModelParts &p) { p.codes[1].code = -2; }, kMalformed, "operator_code.builtin_code", 1, -2},
        Refusal{"code_negative_in_the_old_field", [](ModelParts &p) { p.codes[1].deprecated_code = -5; }, kMalformed,
                "operator_code.builtin_code", 1, -5},
        Refusal{"operator_version", [](ModelParts &p) { p.codes[0].version = 0; }, kMalformed, "operator_code.version", 0, 0},
        Refusal{"too_many_operands", [](ModelParts &p) { p.operators[1].inputs.resize(257, 4); }, kUnsupported, "operator.inputs", 1, 257},
        Refusal{"too_many_results", [](ModelParts &p) { p.operators[0].outputs.resize(300, 3); }, kUnsupported, "operator.outputs", 0, 300},
        Refusal{"input_tensor_outside", [](ModelParts &p) { p.operators[1].inputs[0] = 6; }, kMalformed, "operator.inputs", 1, 6},
        Refusal{"input_tensor_negative", [](ModelParts &p) { p.operators[1].inputs[0] = -2; }, kMalformed, "operator.inputs", 1, -2},
        Refusal{"output_tensor_outside", [](ModelParts &p) { p.operators[0].outputs[0] = -1; }, kMalformed, "operator.outputs", 0, -1},
        Refusal{"cycle", [](ModelParts &p) { p.operators[0].inputs[0] = 5; }, kMalformed, "operator.inputs: read before it is written", 0,
                5},
        Refusal{"reads_its_own_output", [](ModelParts &p) { p.operators[1].inputs[0] = 5; }, kMalformed,
                "operator.inputs: read before it is written", 1, 5},
        Refusal{"written_twice", [](ModelParts &p) { p.operators[1].outputs[0] = 3; }, kMalformed, "operator.outputs: written twice", 1, 3},
        Refusal{"writes_a_constant", [](ModelParts &p) { p.operators[1].outputs[0] = 1; }, kMalformed, "operator.outputs: written twice", 1,
                1},
        Refusal{"writes_an_input", [](ModelParts &p) { p.operators[1].outputs[0] = 4; }, kMalformed, "operator.outputs: written twice", 1,
                4},
        Refusal{"options_without_table", [](ModelParts &p) { p.operators[1].options = {}; }, kMalformed, "operator.builtin_options", 1, 11},
        Refusal{"options_without_type", [](ModelParts &p) { p.operators[1].options_type = schema::BuiltinOptions::NONE; }, kMalformed,
                "operator.builtin_options", 1, 0}),
    [](const auto &row) { return row.param.name; });

TEST(TfliteReader, RefusesAnEightByteConstantAtFour) {
  ModelParts parts = convolution_and_add();
  const std::int32_t wide = parts.constant<std::int64_t>({2}, {1, 2}, ElementType::int64);
  parts.operators[1].inputs.push_back(wide);
  File file(parts);
  const schema::Buffer &buffer = *schema::GetModel(file.bytes().data())->buffers()->Get(3);
  const std::uint8_t *const data = buffer.data()->Data();
  const auto at = static_cast<std::size_t>(data - file.bytes().data());
  auto *const reference =
      const_cast<std::uint8_t *>(reinterpret_cast<const flatbuffers::Table &>(buffer).GetAddressOf(schema::Buffer::VT_DATA));
  // The vector's length moves to the first data word; the two elements then begin at a multiple of 4, but not of 8. What follows the
  // vector in the file becomes its last word.
  flatbuffers::WriteScalar<std::uint32_t>(file.bytes().data() + at, 16);
  flatbuffers::WriteScalar<std::uint32_t>(reference, flatbuffers::ReadScalar<std::uint32_t>(reference) + 4);
  const Status status = status_of(file);
  EXPECT_EQ(status.code(), ErrorCode::misaligned_address);
  EXPECT_EQ(status.index(), wide);
  EXPECT_EQ(status.value(), 4);
}

TEST(TfliteReader, RefusesEveryTruncation) {
  const File whole(convolution_and_add());
  const std::span<const std::byte> bytes = whole.view();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const File part(std::span(reinterpret_cast<const std::uint8_t *>(bytes.data()), size));
    EXPECT_FALSE(status_of(part)) << size;
  }
}

TEST(TfliteReader, BoundsTheTimeOfSharedLists) {
  // Many tensors share one list of scales. Such a file could keep the reader busy for long.
  flatbuffers::FlatBufferBuilder builder;
  const auto scales = builder.CreateVector(std::vector<float>(40000, 1.0F));
  const auto zero_points = builder.CreateVector(std::vector<std::int64_t>(1, 0));
  const auto quantisation = schema::CreateQuantizationParameters(builder, 0, 0, scales, zero_points);
  const auto shape = builder.CreateVector(std::vector<std::int32_t>{40000});
  std::vector<flatbuffers::Offset<schema::Tensor>> tensors;
  for (int i = 0; i < 2000; ++i) tensors.push_back(schema::CreateTensor(builder, shape, 9, 0, 0, quantisation));
  const auto list = builder.CreateVector(tensors);
  const auto operands = builder.CreateVector(std::vector<std::int32_t>{0});
  const std::vector<flatbuffers::Offset<schema::Operator>> operators = {schema::CreateOperator(builder, 0, operands, operands)};
  const auto operator_list = builder.CreateVector(operators);
  const std::vector<flatbuffers::Offset<schema::SubGraph>> graphs = {
      schema::CreateSubGraph(builder, list, operands, operands, operator_list)};
  const auto graph_list = builder.CreateVector(graphs);
  const std::vector<flatbuffers::Offset<schema::OperatorCode>> codes = {schema::CreateOperatorCode(builder)};
  const auto code_list = builder.CreateVector(codes);
  const std::vector<flatbuffers::Offset<schema::Buffer>> buffers = {schema::CreateBuffer(builder)};
  const auto buffer_list = builder.CreateVector(buffers);
  schema::FinishModelBuffer(builder, schema::CreateModel(builder, 3, code_list, graph_list, 0, buffer_list));
  const File file(std::span<const std::uint8_t>(builder.GetBufferPointer(), builder.GetSize()));
  std::vector<TensorUse> workspace(2000);
  const Status status = cox::tflite::open(file.view(), workspace).status();
  EXPECT_EQ(status.code(), ErrorCode::image_malformed);
  EXPECT_STREQ(status.what(), "quantization.scale");
  EXPECT_LT(status.index(), 3);
}

}  // namespace
}  // namespace cox::tests::tflite_reader
