// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/gemv.h"

namespace cox::kernels::cube {

// The kernel multiplies the vector, as a row, by the transposed matrix. So biases and scales belong to columns, and results are contiguous.
Status gemv(Stream &stream, const GemvArguments &arguments) {
  const std::uint32_t m = arguments.matrix.rows, k = arguments.matrix.columns;
  GemmArguments product;
  product.type = arguments.type;
  product.left.address = arguments.vector;
  product.left.rows = 1;
  product.left.columns = k;
  product.right = arguments.matrix;
  product.right.rows = k;
  product.right.columns = m;
  // An unknown order stays unknown and is refused later.
  if (arguments.matrix.order == Order::row_major) product.right.order = Order::column_major;
  if (arguments.matrix.order == Order::column_major) product.right.order = Order::row_major;
  product.to = arguments.to;
  product.output.address = arguments.output;
  product.output.rows = 1;
  product.output.columns = m;
  product.alpha = arguments.alpha;
  product.beta = arguments.beta;
  product.addend = product.output;
  product.addend.address = arguments.addend;
  product.biases = arguments.biases;
  product.scales = arguments.scales;
  product.activation = arguments.activation;
  product.activation_parameter = arguments.activation_parameter;
  product.zero_point = arguments.zero_point;
  return gemm(stream, product);
}

}  // namespace cox::kernels::cube
