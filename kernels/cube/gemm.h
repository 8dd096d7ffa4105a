// SPDX-License-Identifier: MIT
// Matrix products of any size on the matrix unit (docs/kernels/cube.md, gemm).
#pragma once

#include <cstdint>

#include "base/status.h"
#include "kernels/cube/matrix.h"
#include "kernels/cube/stream.h"
#include "kernels/cube/tile_chooser.h"

namespace cox::kernels::cube {

/// output = activation(alpha * left * right + beta * addend + biases). Addresses are bus addresses, strides and pitches bytes.
struct GemmArguments {
  Type type = Type::bfloat16;           ///< of left and right
  Matrix left = {}, right = {};         ///< m x k and k x n, in DRAM or in L1
  OutputType to = OutputType::float32;  ///< of output and addend. INT32 accumulators: any; FP32 ones: any but int32
  Matrix output = {};                   ///< m x n, row-major, in DRAM
  float alpha = 1;
  float beta = 0;
  Matrix addend = {};        ///< m x n, row-major, in DRAM: the output itself (same address, pitch and stride) or apart from it;
                             ///< beta 0: not read, not looked at
  std::uint64_t biases = 0;  ///< n of them, FP32; INT32 for int8 and int4. 0: none
  std::uint64_t scales = 0;  ///< n FP32 factors, one a column, in the place of alpha, which is 1. 0: none
  Activation activation = Activation::None;
  float activation_parameter = 0;  ///< LeakyReLU: the slope below 0; Clip: the upper limit
  std::int32_t zero_point = 0;     ///< of int8 results, added after rounding
  std::uint32_t batches = 1;       ///< products side by side, with the same biases and scales
  std::uint64_t left_stride = 0, right_stride = 0, output_stride = 0, addend_stride = 0;  ///< from one to the next
};

/// Appends the product; any m, n, k from 1 on. It ends with a BARRIER for all pipes, and leaves L1, L0 and L0C undefined but for operands
/// in L1. No scratch in DRAM. Floats: k ascending, one fma each, whatever the tiles; with integers the accumulators are (A * B + biases)
/// modulo 2^32, and scaled then. Errors, the stream is as it was: invalid_argument (a size of 0, a pitch under a row or, in L1, over 2,048,
/// an order, scales with an alpha, a zero point or an activation that the type has not), shape_mismatch (sizes that do not match; odd k of
/// int4), misaligned_address, address_outside_window, address_outside_buffer (L1), tensor_overlap, not_ready (a stream before init()),
/// no_room (the stream's memory; L1, `what` "L1"). A stream with a feed has given away what it was full of when the feed fails.
Status gemm(Stream &stream, const GemmArguments &arguments);

/// The same with a tiling of the caller's, chosen before, maybe at compile time, by choose_tiling() for gemm_product(). invalid_argument
/// (`what` "tiling"): it is another product's.
Status gemm(Stream &stream, const GemmArguments &arguments, const Tiling &tiling);

/// What gemm() would say of these arguments before it writes anything: all of its errors but no_room.
Status check_gemm(const Stream &stream, const GemmArguments &arguments);

/// What choose_tiling() wants to know of these arguments.
[[nodiscard]] Product gemm_product(const GemmArguments &arguments);

}  // namespace cox::kernels::cube
