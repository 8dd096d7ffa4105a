// SPDX-License-Identifier: MIT
// Matrix products of any size on the matrix unit (docs/kernels/cube.md, gemm).
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/kernels/cube/matrix.h"
#include "coxswain/kernels/cube/stream.h"
#include "coxswain/kernels/cube/tile_chooser.h"

namespace cox::kernels::cube {

/// output = activation(alpha * left * right + beta * addend + biases). Addresses are bus addresses, and strides and pitches are in bytes;
/// kernels/cube/matrix.h defines address and pitch of a matrix in L1.
struct GemmArguments {
  Type type = Type::bfloat16;           ///< type of left and right
  Matrix left = {}, right = {};         ///< m x k and k x n, in DRAM or in L1
  OutputType to = OutputType::float32;  ///< type of output and addend; not int32 if the accumulators are FP32
  Matrix output = {};                   ///< m x n, row-major, in DRAM
  float alpha = 1;
  float beta = 0;
  /// m x n, row-major, in DRAM: either the output itself (same address, pitch and stride), or memory that shares no byte with the output.
  /// If beta is 0, the addend is neither read nor checked.
  Matrix addend = {};
  std::uint64_t biases = 0;  ///< bus address of n biases: INT32 for int8 and int4, else FP32; 0: none
  std::uint64_t scales = 0;  ///< bus address of n FP32 factors, one for each column. They replace alpha, which must be 1; 0: none
  Activation activation = Activation::None;
  float activation_parameter = 0;  ///< LeakyReLU: the slope below 0; Clip: the upper limit
  std::int32_t zero_point = 0;     ///< of int8 results, added after rounding
  std::uint32_t batches = 1;       ///< number of products with the same biases and scales
  std::uint64_t left_stride = 0, right_stride = 0, output_stride = 0, addend_stride = 0;  ///< bytes from one product to the next
};

/// Appends the product, which ends with a BARRIER for all pipes; m, n and k are at least 1. The product leaves L1, L0 and L0C undefined,
/// except for operands in L1. It needs no scratch in DRAM.
/// An FP32 accumulator is a chain of fma along k, in ascending order whatever the tiles. Then alpha or scales, beta * addend and biases are
/// applied in FP32. An INT32 accumulator is the sum of the products and the bias, modulo 2^32. Then alpha or scales and beta * addend are
/// applied in FP32.
/// Errors, after which the stream is unchanged:
/// - invalid_argument: a size of 0; a pitch smaller than a row or, in L1, over 2,048; an unknown order, type or activation; scales with an
///   alpha other than 1; a zero_point other than 0 if the output is not int8; an int32 output of FP32 accumulators; an int32 output with an
///   alpha other than 1, scales, a beta other than 0 or an activation other than ReLU.
/// - shape_mismatch: sizes that do not match; an odd k of int4.
/// - misaligned_address, address_outside_window, address_outside_buffer (L1), tensor_overlap.
/// - not_ready: a stream before init().
/// - no_room: the stream's memory, or L1 (`what` is "L1").
/// If the stream's feed fails, the segments that were fed before cannot be taken back.
Status gemm(Stream &stream, const GemmArguments &arguments);

/// As gemm(), with a tiling that choose_tiling() chose for gemm_product() earlier, perhaps at compile time. Error: invalid_argument
/// ("tiling") if the tiling is for another product.
Status gemm(Stream &stream, const GemmArguments &arguments, const Tiling &tiling);

/// Returns the error that gemm() would return for these arguments before it writes anything: all of its errors except no_room.
Status check_gemm(const Stream &stream, const GemmArguments &arguments);

/// Returns the description of the product for choose_tiling().
[[nodiscard]] Product gemm_product(const GemmArguments &arguments);

}  // namespace cox::kernels::cube
