// SPDX-License-Identifier: MIT
// Products of INT8 matrices on PIM cores (docs/kernels/pim.md, gemm and gemv).
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/kernels/pim/conv2d.h"
#include "coxswain/kernels/pim/mapping.h"
#include "coxswain/kernels/pim/program_builder.h"

namespace cox::kernels::pim {

/// output = requantise(left * right + bias), or the sums. `left` is m x k and `output` m x n, both row-major without gaps. `right`, k x n,
/// is packed: choose_mapping() for gemm_layer(), then pack_weights() with Weights{.output_stride = 1, .input_stride = n} for a row-major
/// matrix, or Weights{.output_stride = k, .input_stride = 1} for a column-major one. Members with the names of Conv2dArguments' members
/// mean the same.
struct GemmArguments {
  std::uint32_t left = 0;
  std::uint32_t m = 1, k = 1, n = 1;
  std::uint32_t output = 0;
  ResultType output_type = ResultType::int8;
  bool relu = false;
  std::int32_t zero_point = 0;
  WeightForm form = WeightForm::dense;
  std::uint32_t weight_bits = 8;
  std::uint32_t threshold = 1;
  std::span<const std::uint8_t> thresholds = {};  ///< of each column of `right`
  std::uint32_t window_inputs = 0;
  bool has_bias = true;
  std::uint32_t weights = 0;
  bool resident = false;
  std::uint32_t first_row = 0;
  std::uint32_t first_core = 0, cores = 1;
  /// Split::pixels: each core computes some rows of the output. Split::outputs: each core computes some columns.
  Split split = Split::pixels;
};

/// A product is a convolution with a kernel of 1 x 1 on a map of one row: its pixels are the rows of `left`, its channels their elements.
[[nodiscard]] constexpr Conv2dArguments convolution_of(const GemmArguments &a) {
  Conv2dArguments layer;
  layer.input = a.left;
  layer.width = layer.output_width = a.m;
  layer.channels = a.k;
  layer.output = a.output;
  layer.output_channels = a.n;
  layer.output_type = a.output_type;
  layer.relu = a.relu;
  layer.zero_point = a.zero_point;
  layer.form = a.form;
  layer.weight_bits = a.weight_bits;
  layer.threshold = a.threshold;
  layer.thresholds = a.thresholds;
  layer.window_inputs = a.window_inputs;
  layer.has_bias = a.has_bias;
  layer.weights = a.weights;
  layer.resident = a.resident;
  layer.first_row = a.first_row;
  layer.first_core = a.first_core;
  layer.cores = a.cores;
  layer.split = a.split;
  return layer;
}

[[nodiscard]] inline Result<LayerShape> gemm_layer(const GemmArguments &arguments) { return conv2d_layer(convolution_of(arguments)); }

/// Appends the product. Errors: those of conv2d() for convolution_of() these arguments, whose names for m, k and n are "width", "channels"
/// and "output_channels".
inline Status gemm(ProgramBuilder &builder, const GemmArguments &arguments, const Mapping &mapping) {
  return conv2d(builder, convolution_of(arguments), mapping);
}

/// Appends the copy of the packed matrix to the array, for products with `resident`.
inline Status load_matrix(ProgramBuilder &builder, const GemmArguments &arguments, const Mapping &mapping) {
  return load_weights(builder, convolution_of(arguments), mapping);
}

/// y = requantise(A * x + bias): gemm with one row, x, whose right matrix is A transposed. A is n x k, so a row-major A packs with
/// Weights{.output_stride = k, .input_stride = 1}. The device reads A once from DRAM, at nearly the full bandwidth of the bus.
struct GemvArguments {
  std::uint32_t vector = 0;
  std::uint32_t n = 1, k = 1;  ///< rows and columns of A
  std::uint32_t output = 0;
  ResultType output_type = ResultType::int8;
  bool relu = false;
  std::int32_t zero_point = 0;
  std::uint32_t weight_bits = 8;
  bool has_bias = true;
  std::uint32_t weights = 0;
  bool resident = false;
  std::uint32_t first_row = 0;
  std::uint32_t first_core = 0, cores = 1;  ///< each core computes some rows of A
};

[[nodiscard]] constexpr GemmArguments product_of(const GemvArguments &a) {
  GemmArguments product;
  product.left = a.vector;
  product.k = a.k;
  product.n = a.n;
  product.output = a.output;
  product.output_type = a.output_type;
  product.relu = a.relu;
  product.zero_point = a.zero_point;
  product.weight_bits = a.weight_bits;
  product.has_bias = a.has_bias;
  product.weights = a.weights;
  product.resident = a.resident;
  product.first_row = a.first_row;
  product.first_core = a.first_core;
  product.cores = a.cores;
  product.split = Split::outputs;
  return product;
}

/// Appends the product. Errors: those of gemm() for product_of() these arguments.
inline Status gemv(ProgramBuilder &builder, const GemvArguments &arguments, const Mapping &mapping) {
  return gemm(builder, product_of(arguments), mapping);
}

}  // namespace cox::kernels::pim
