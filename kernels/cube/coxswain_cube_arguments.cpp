// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/coxswain_cube_arguments.h"

#include <cstddef>

#include "coxswain/kernels/engine/c_interface.h"

namespace cox::kernels::cube {
namespace {

using c_interface::one_of;

template <typename Enumeration>
constexpr bool is(Enumeration value, int number) {
  return static_cast<int>(value) == number;
}
static_assert(is(Type::bfloat16, COX_CUBE_BFLOAT16) && is(Type::half, COX_CUBE_HALF) && is(Type::float32, COX_CUBE_FLOAT) &&
              is(Type::int8, COX_CUBE_INT8) && is(Type::int4, COX_CUBE_INT4));
static_assert(is(OutputType::float32, COX_CUBE_TO_FLOAT) && is(OutputType::half, COX_CUBE_TO_HALF) &&
              is(OutputType::bfloat16, COX_CUBE_TO_BFLOAT16) && is(OutputType::int32, COX_CUBE_TO_INT32) &&
              is(OutputType::int8, COX_CUBE_TO_INT8));
static_assert(is(Activation::ReLU, COX_CUBE_RELU) && is(Activation::LeakyReLU, COX_CUBE_LEAKY_RELU) && is(Activation::Clip, COX_CUBE_CLIP));
static_assert(is(Order::column_major, COX_CUBE_COLUMN_MAJOR) && is(ScaleMode::tensor, COX_CUBE_SCALE) &&
              is(ScaleMode::channel, COX_CUBE_SCALE_A_CHANNEL));

template <typename Enumeration>
std::uint32_t number_of(Enumeration value) {
  return static_cast<std::uint32_t>(value);
}

Matrix of_c(const cox_cube_matrix &matrix) {
  return {matrix.address, matrix.rows, matrix.columns, matrix.pitch, one_of<Order>(matrix.order), matrix.in_l1};
}
cox_cube_matrix to_c(const Matrix &matrix) {
  return {matrix.address, matrix.rows, matrix.columns, matrix.pitch, number_of(matrix.order), matrix.in_l1};
}

}  // namespace

GemmArguments of_c(const cox_cube_gemm_arguments &arguments) {
  return {.type = one_of<Type>(arguments.type),
          .left = of_c(arguments.left),
          .right = of_c(arguments.right),
          .to = one_of<OutputType>(arguments.to),
          .output = of_c(arguments.output),
          .alpha = arguments.alpha,
          .beta = arguments.beta,
          .addend = of_c(arguments.addend),
          .biases = arguments.biases,
          .scales = arguments.scales,
          .activation = one_of<Activation>(arguments.activation),
          .activation_parameter = arguments.activation_parameter,
          .zero_point = arguments.zero_point,
          .batches = arguments.batches,
          .left_stride = arguments.left_stride,
          .right_stride = arguments.right_stride,
          .output_stride = arguments.output_stride,
          .addend_stride = arguments.addend_stride};
}

GemvArguments of_c(const cox_cube_gemv_arguments &arguments) {
  return {.type = one_of<Type>(arguments.type),
          .matrix = of_c(arguments.matrix),
          .vector = arguments.vector,
          .to = one_of<OutputType>(arguments.to),
          .output = arguments.output,
          .alpha = arguments.alpha,
          .beta = arguments.beta,
          .addend = arguments.addend,
          .biases = arguments.biases,
          .scales = arguments.scales,
          .activation = one_of<Activation>(arguments.activation),
          .activation_parameter = arguments.activation_parameter,
          .zero_point = arguments.zero_point};
}

Conv2dArguments of_c(const cox_cube_conv2d_arguments &arguments) {
  return {.type = one_of<Type>(arguments.type),
          .input = arguments.input,
          .batch = arguments.batch,
          .height = arguments.height,
          .width = arguments.width,
          .channels = arguments.channels,
          .weights = arguments.weights,
          .kernel_height = arguments.kernel_height,
          .kernel_width = arguments.kernel_width,
          .stride_y = arguments.stride_y,
          .stride_x = arguments.stride_x,
          .dilation_y = arguments.dilation_y,
          .dilation_x = arguments.dilation_x,
          .pad_top = arguments.pad_top,
          .pad_left = arguments.pad_left,
          .pad_bottom = arguments.pad_bottom,
          .pad_right = arguments.pad_right,
          .pad_value = arguments.pad_value,
          .groups = arguments.groups,
          .output = arguments.output,
          .output_height = arguments.output_height,
          .output_width = arguments.output_width,
          .output_channels = arguments.output_channels,
          .output_type = one_of<OutputType>(arguments.output_type),
          .bias = arguments.bias,
          .scale_mode = one_of<ScaleMode>(arguments.scale_mode),
          .scale = arguments.scale,
          .scales = arguments.scales,
          .residual = arguments.residual,
          .beta = arguments.beta,
          .activation = one_of<Activation>(arguments.activation),
          .activation_parameter = arguments.activation_parameter,
          .zero_point = arguments.zero_point};
}

AttentionArguments of_c(const cox_cube_attention_arguments &arguments) {
  return {.queries = of_c(arguments.queries),
          .keys = of_c(arguments.keys),
          .values = of_c(arguments.values),
          .output = of_c(arguments.output),
          .type = one_of<Type>(arguments.type),
          .to = one_of<OutputType>(arguments.to),
          .scale = arguments.scale,
          .causal = arguments.causal,
          .diagonal = arguments.diagonal,
          .scratch = {static_cast<std::byte *>(c_interface::memory_at(arguments.scratch)), arguments.scratch_bytes}};
}

}  // namespace cox::kernels::cube

namespace cube = cox::kernels::cube;
using cube::number_of;
using cube::to_c;

cox_cube_gemm_arguments cox_cube_gemm_defaults() {
  const cube::GemmArguments defaults;
  return {.type = number_of(defaults.type),
          .left = to_c(defaults.left),
          .right = to_c(defaults.right),
          .to = number_of(defaults.to),
          .output = to_c(defaults.output),
          .alpha = defaults.alpha,
          .beta = defaults.beta,
          .addend = to_c(defaults.addend),
          .biases = defaults.biases,
          .scales = defaults.scales,
          .activation = number_of(defaults.activation),
          .activation_parameter = defaults.activation_parameter,
          .zero_point = defaults.zero_point,
          .batches = defaults.batches,
          .left_stride = defaults.left_stride,
          .right_stride = defaults.right_stride,
          .output_stride = defaults.output_stride,
          .addend_stride = defaults.addend_stride};
}

cox_cube_gemv_arguments cox_cube_gemv_defaults() {
  const cube::GemvArguments defaults;
  return {.type = number_of(defaults.type),
          .matrix = to_c(defaults.matrix),
          .vector = defaults.vector,
          .to = number_of(defaults.to),
          .output = defaults.output,
          .alpha = defaults.alpha,
          .beta = defaults.beta,
          .addend = defaults.addend,
          .biases = defaults.biases,
          .scales = defaults.scales,
          .activation = number_of(defaults.activation),
          .activation_parameter = defaults.activation_parameter,
          .zero_point = defaults.zero_point};
}

cox_cube_conv2d_arguments cox_cube_conv2d_defaults() {
  const cube::Conv2dArguments defaults;
  return {.type = number_of(defaults.type),
          .input = defaults.input,
          .batch = defaults.batch,
          .height = defaults.height,
          .width = defaults.width,
          .channels = defaults.channels,
          .weights = defaults.weights,
          .kernel_height = defaults.kernel_height,
          .kernel_width = defaults.kernel_width,
          .stride_y = defaults.stride_y,
          .stride_x = defaults.stride_x,
          .dilation_y = defaults.dilation_y,
          .dilation_x = defaults.dilation_x,
          .pad_top = defaults.pad_top,
          .pad_left = defaults.pad_left,
          .pad_bottom = defaults.pad_bottom,
          .pad_right = defaults.pad_right,
          .pad_value = defaults.pad_value,
          .groups = defaults.groups,
          .output = defaults.output,
          .output_height = defaults.output_height,
          .output_width = defaults.output_width,
          .output_channels = defaults.output_channels,
          .output_type = number_of(defaults.output_type),
          .bias = defaults.bias,
          .scale_mode = number_of(defaults.scale_mode),
          .scale = defaults.scale,
          .scales = defaults.scales,
          .residual = defaults.residual,
          .beta = defaults.beta,
          .activation = number_of(defaults.activation),
          .activation_parameter = defaults.activation_parameter,
          .zero_point = defaults.zero_point};
}

cox_cube_attention_arguments cox_cube_attention_defaults() {
  const cube::AttentionArguments defaults;
  return {.queries = to_c(defaults.queries),
          .keys = to_c(defaults.keys),
          .values = to_c(defaults.values),
          .output = to_c(defaults.output),
          .type = number_of(defaults.type),
          .to = number_of(defaults.to),
          .scale = defaults.scale,
          .causal = defaults.causal,
          .diagonal = defaults.diagonal,
          .scratch = 0,
          .scratch_bytes = 0};
}
