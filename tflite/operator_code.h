// SPDX-License-Identifier: MIT
// Operators, with the numbers that TensorFlow Lite gives them.
#pragma once

#include <cstdint>

namespace cox::tflite {

/// The operators that resolve() (tflite/resolve.h) knows, and `custom`. A model may have others.
enum class OperatorCode : std::int32_t {
  add = 0,
  average_pool_2d = 1,
  concatenation = 2,
  conv_2d = 3,
  depthwise_conv_2d = 4,
  dequantize = 6,
  fully_connected = 9,
  logistic = 14,
  max_pool_2d = 17,
  mul = 18,
  relu = 19,
  relu_n1_to_1 = 20,
  relu6 = 21,
  reshape = 22,
  resize_bilinear = 23,
  softmax = 25,
  tanh = 28,
  custom = 32,
  pad = 34,
  transpose = 39,
  mean = 40,
  sub = 41,
  squeeze = 43,
  strided_slice = 45,
  split = 49,
  maximum = 55,
  minimum = 57,
  padv2 = 60,
  transpose_conv = 67,
  expand_dims = 70,
  pack = 83,
  unpack = 88,
  resize_nearest_neighbor = 97,
  quantize = 114,
};

/// Returns the operator's name as TensorFlow Lite prints it, for example `CONV_2D`. Operators that are newer than this table are `unknown`.
[[nodiscard]] const char *operator_name(OperatorCode code);

}  // namespace cox::tflite
