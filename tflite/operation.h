// SPDX-License-Identifier: MIT
// Operators as plain numbers: what a kernel needs besides the addresses of the tensors. All numbers are consistent with the shapes of the
// tensors. Tensors are indices in the model; activations have elements of type int8 and layout NHWC.
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "coxswain/tflite/multiplier.h"
#include "coxswain/tflite/tensor.h"

namespace cox::tflite {

/// Zero elements around a map: its elements there have the value of the input's zero point.
struct Pads {
  std::int32_t top = 0, left = 0, bottom = 0, right = 0;
  friend bool operator==(const Pads &, const Pads &) = default;
};

/// Results are clamped to [least, most].
struct Clamp {
  std::int32_t least = INT8_MIN, most = INT8_MAX;
  friend bool operator==(const Clamp &, const Clamp &) = default;
};

/// CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV: clamp(requantised(bias + sum((x - input_zero) * w)) + output_zero). The weights' zero point
/// is 0.
struct Convolution {
  enum class Kind : std::uint8_t {
    convolution,  ///< weights [output channel][height][width][channel of a group]
    depthwise,    ///< weights [height][width][output channel]
    transposed,   ///< weights like `convolution`; pads are those that the output loses
  };
  Kind kind = Kind::convolution;
  std::int32_t input = -1, weights = -1, bias = -1, output = -1;  ///< bias: int32, or -1
  std::int32_t batch = 1;
  std::int32_t input_height = 1, input_width = 1, input_channels = 1;
  std::int32_t output_height = 1, output_width = 1, output_channels = 1;
  std::int32_t kernel_height = 1, kernel_width = 1;
  std::int32_t stride_height = 1, stride_width = 1;
  std::int32_t dilation_height = 1, dilation_width = 1;
  std::int32_t groups = 1;            ///< of `convolution`
  std::int32_t depth_multiplier = 1;  ///< of `depthwise`: output channels for each input channel
  Pads pads;
  std::int32_t input_zero = 0, output_zero = 0;
  Clamp clamp;
  ChannelScales scales;
};

/// FULLY_CONNECTED: a product of `rows` x `depth` inputs and `columns` x `depth` weights, with the arithmetic of Convolution and a zero
/// point of the weights.
struct FullyConnected {
  std::int32_t input = -1, weights = -1, bias = -1, output = -1;
  std::int32_t rows = 1, depth = 1, columns = 1;
  std::int32_t input_zero = 0, weights_zero = 0, output_zero = 0;
  Clamp clamp;
  ChannelScales scales;
};

/// AVERAGE_POOL_2D, MAX_POOL_2D over the elements of the window that are in the map.
struct Pool {
  enum class Kind : std::uint8_t { average, maximum };
  Kind kind = Kind::average;
  std::int32_t input = -1, output = -1;
  std::int32_t batch = 1, channels = 1;
  std::int32_t input_height = 1, input_width = 1, output_height = 1, output_width = 1;
  std::int32_t kernel_height = 1, kernel_width = 1, stride_height = 1, stride_width = 1;
  Pads pads;
  Clamp clamp;
};

/// ADD, SUB: each input is (q - zero) << left_shift, requantised; their sum or difference is requantised, plus output_zero. An input that
/// is not as large as the output is repeated along its dimensions of size 1.
struct Sum {
  bool subtract = false;
  std::array<std::int32_t, 2> inputs = {-1, -1};
  std::int32_t output = -1;
  std::array<bool, 2> broadcast{};
  std::int32_t left_shift = 20;
  std::array<std::int32_t, 2> input_zero{};
  std::array<QuantisedMultiplier, 2> input_multiplier;
  QuantisedMultiplier output_multiplier;
  std::int32_t output_zero = 0;
  Clamp clamp;
};

/// MUL: the product of (q - zero), requantised, plus output_zero.
struct Product {
  std::array<std::int32_t, 2> inputs = {-1, -1};
  std::int32_t output = -1;
  std::array<bool, 2> broadcast{};
  std::array<std::int32_t, 2> input_zero{};
  QuantisedMultiplier multiplier;
  std::int32_t output_zero = 0;
  Clamp clamp;
};

/// MAXIMUM, MINIMUM of q; inputs and output have the same quantisation.
struct Extremum {
  bool maximum = false;
  std::array<std::int32_t, 2> inputs = {-1, -1};
  std::int32_t output = -1;
  std::array<bool, 2> broadcast{};
};

/// SOFTMAX over rows of `depth` elements. The exponential is in fixed point with 5 integer bits, sums have 12. The output's scale is 1/256,
/// its zero point -128.
struct Softmax {
  std::int32_t input = -1, output = -1;
  std::int32_t rows = 1, depth = 1;
  QuantisedMultiplier multiplier;     ///< of q - (the row's maximum); the shift is not negative
  std::int32_t least_difference = 0;  ///< elements with a smaller difference count as 0
};

/// PAD, PADV2.
struct Pad {
  std::int32_t input = -1, output = -1;
  std::array<std::int32_t, kMaxRank> before{}, after{};  ///< elements of each dimension
  std::int32_t value = 0;
};

/// RESHAPE, SQUEEZE, EXPAND_DIMS: the output has the input's bytes. Any type.
struct Copy {
  std::int32_t input = -1, output = -1;
};

/// MEAN: requantised(sum - count * input_zero) + output_zero. The multiplier contains 1 / count.
struct Mean {
  std::int32_t input = -1, output = -1;
  std::uint32_t axes = 0;  ///< bit i: dimension i of the input is reduced
  std::int32_t count = 1;  ///< elements for each output element
  std::int32_t input_zero = 0, output_zero = 0;
  QuantisedMultiplier multiplier;
};

/// CONCATENATION of all inputs of the operator, and PACK, which makes a dimension of its own. Any type; all have one quantisation.
struct Concatenation {
  std::int32_t output = -1;
  std::uint32_t axis = 0;  ///< of the output
  bool pack = false;
};

/// SPLIT into all outputs of the operator, and UNPACK, which drops the dimension. Any type; all have one quantisation.
struct Split {
  std::int32_t input = -1;
  std::uint32_t axis = 0;  ///< of the input
  bool unpack = false;
};

/// RESIZE_BILINEAR, in fixed point with 10 fractional bits, and RESIZE_NEAREST_NEIGHBOR.
struct Resize {
  bool bilinear = false;
  std::int32_t input = -1, output = -1;
  std::int32_t batch = 1, channels = 1;
  std::int32_t input_height = 1, input_width = 1, output_height = 1, output_width = 1;
  bool align_corners = false, half_pixel_centers = false;
};

/// RELU, RELU_N1_TO_1, RELU6, and QUANTIZE of int8: clamp(requantised(q - input_zero) + output_zero).
struct Rescale {
  std::int32_t input = -1, output = -1;
  std::int32_t input_zero = 0, output_zero = 0;
  QuantisedMultiplier multiplier;
  Clamp clamp;
};

/// LOGISTIC, TANH, in fixed point with 4 integer bits. A difference q - input_zero of at least `radius` gives the function's limit.
struct Sigmoid {
  bool tanh = false;
  std::int32_t input = -1, output = -1;
  std::int32_t input_zero = 0;
  QuantisedMultiplier multiplier;
  std::int32_t radius = 0;
};

/// QUANTIZE from float32 to int8, DEQUANTIZE from int8 to float32.
struct Conversion {
  bool to_float = false;
  std::int32_t input = -1, output = -1;
  float scale = 1;
  std::int32_t zero = 0;
};

/// TRANSPOSE: dimension i of the output is dimension permutation[i] of the input. Any type.
struct Transpose {
  std::int32_t input = -1, output = -1;
  std::uint32_t rank = 0;
  std::array<std::uint8_t, kMaxRank> permutation{};
};

/// STRIDED_SLICE: element (i, ...) of the output is element (begin + i * stride, ...) of the input. Dimensions that the operator drops have
/// a count of 1 here. Any type.
struct Slice {
  std::int32_t input = -1, output = -1;
  std::uint32_t rank = 0;  ///< of the input
  std::array<std::int32_t, kMaxRank> begin{}, stride{}, count{};
};

using Operation = std::variant<Copy, Convolution, FullyConnected, Pool, Sum, Product, Extremum, Softmax, Pad, Mean, Concatenation, Split,
                               Resize, Rescale, Sigmoid, Conversion, Transpose, Slice>;

/// Returns the number of products of weights and activations; 0 for operators without weights.
[[nodiscard]] std::uint64_t multiply_accumulates(const Operation &operation);

}  // namespace cox::tflite
