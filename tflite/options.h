// SPDX-License-Identifier: MIT
// Options of operators, as the file has them. resolve() (tflite/resolve.h) turns them into the numbers that a kernel needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "coxswain/base/result.h"
#include "coxswain/tflite/model.h"

namespace cox::tflite {

enum class Padding : std::int8_t { same = 0, valid = 1 };

/// The function that an operator applies to its result.
enum class Activation : std::int8_t { none = 0, relu = 1, relu_n1_to_1 = 2, relu6 = 3, tanh = 4, sign_bit = 5 };

struct NoOptions {};

/// CONV_2D, DEPTHWISE_CONV_2D and TRANSPOSE_CONV.
struct ConvolutionOptions {
  Padding padding = Padding::same;
  std::int32_t stride_height = 1, stride_width = 1;
  std::int32_t dilation_height = 1, dilation_width = 1;
  std::int32_t depth_multiplier = 1;
  Activation activation = Activation::none;
};

struct PoolOptions {
  Padding padding = Padding::same;
  std::int32_t stride_height = 1, stride_width = 1;
  std::int32_t kernel_height = 1, kernel_width = 1;
  Activation activation = Activation::none;
};

struct FullyConnectedOptions {
  Activation activation = Activation::none;
  std::int8_t weights_format = 0;  ///< 0: in the order of the shape
  bool keep_dimensions = false;
};

/// ADD, SUB and MUL.
struct ArithmeticOptions {
  Activation activation = Activation::none;
};

struct SoftmaxOptions {
  float beta = 1;
};

struct ConcatenationOptions {
  std::int32_t axis = 0;
  Activation activation = Activation::none;
};

struct ResizeOptions {
  bool align_corners = false, half_pixel_centers = false;
};

/// MEAN.
struct ReducerOptions {
  bool keep_dimensions = false;
};

struct SplitOptions {
  std::int32_t parts = 0;
};

/// Bit i of a mask is dimension i.
struct StridedSliceOptions {
  std::int32_t begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0, shrink_axis_mask = 0;
  bool offset = false;
};

/// PACK and UNPACK.
struct PackOptions {
  std::int32_t count = 0, axis = 0;
};

using Options = std::variant<NoOptions, ConvolutionOptions, PoolOptions, FullyConnectedOptions, ArithmeticOptions, SoftmaxOptions,
                             ConcatenationOptions, ResizeOptions, ReducerOptions, SplitOptions, StridedSliceOptions, PackOptions>;

/// Returns the options of operator `index` < model.operators(). They are NoOptions if the operator has none, or has options that are not
/// in the list above. Errors, with `index`: image_malformed ("operator.builtin_options") if the options belong to another operator, or the
/// operator needs options and has none; field_out_of_range ("padding", "activation").
[[nodiscard]] Result<Options> options(const Model &model, std::size_t index);

}  // namespace cox::tflite
