// SPDX-License-Identifier: MIT
// One head of attention (docs/kernels/cube.md, Attention): softmax(scale * Q * Kt) * V, the products on the matrix unit, softmax on the
// control core between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "kernels/cube/engine.h"
#include "kernels/cube/matrix.h"
#include "kernels/cube/stream.h"

namespace cox::kernels::cube {

/// `queries` s x d, `keys` d x t (as a matrix of rows of keys, t x d, is: column-major), `values` t x w, `output` s x w, row-major. All in
/// DRAM.
struct AttentionArguments {
  Matrix queries, keys, values, output;
  Type type = Type::bfloat16;            ///< of queries, keys and values, and of the weights between the products: bfloat16 or half
  OutputType to = OutputType::bfloat16;  ///< float32, half or bfloat16
  float scale = 0;                       ///< of scores; 0: 1 / sqrt(d)
  bool causal = false;                   ///< query i sees the keys up to i + `diagonal` alone
  std::int32_t diagonal = 0;
  std::span<std::byte> scratch;  ///< DRAM of attention_scratch_bytes() or, for smaller blocks, of at least attention_least_scratch_bytes()
};

/// Rows of queries that are worked on at once, if scratch has room for two such blocks of FP32 scores.
inline constexpr std::uint32_t kAttentionRows = 128;
/// Errors as attention()'s of `queries` and `keys`.
Result<std::uint64_t> attention_scratch_bytes(const AttentionArguments &arguments);
Result<std::uint64_t> attention_least_scratch_bytes(const AttentionArguments &arguments);

/// Two streams that the engine runs in turn (Stream::init(); attention() attaches and clears them); in several segments each where they are
/// shorter than a product of a block.
struct AttentionStreams {
  Stream &scores, &output;
};

/// Runs the head and returns when it has ended: while the core does one block's softmax, the unit works on the scores of the next one and
/// on the output of the one before. The caller cleans what it wrote to operands, and invalidates `output` (hal/cache.h); of scratch
/// nothing in the cache is kept.
///
/// Scores are FP32, each a chain of fma along d, times `scale`; weights are softmax_rows()'s; the output is a chain of fma of weights and
/// values along t, rounded once. Keys that a query does not see weigh 0, and a query that sees none has an output of 0; but 0 times an
/// infinity or NaN among the values is NaN, as far as any query of the block sees the key or a later one.
///
/// Before anything is touched: unsupported: a type or `to` that is none of those. invalid_argument: a size of 0, a `scale` that is no
/// finite number, an operand in L1, an order that is neither or a column-major output. shape_mismatch: rows or columns that do not fit
/// together (`what` the matrix, `limit` what it should have). no_room ("scratch"), misaligned_address ("scratch": 32). Whatever gemm() says
/// of operands. tensor_overlap: scratch or output that shares bytes with an operand, or each other. Then, of the engine: its errors, with
/// `limit_us` for each wait; all has ended by then, and the output may be partly written.
Status attention(Engine &engine, const AttentionStreams &streams, const AttentionArguments &arguments,
                 std::uint64_t limit_us = Engine::kDefaultLimit);

}  // namespace cox::kernels::cube
