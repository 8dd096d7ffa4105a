// SPDX-License-Identifier: MIT
// One head of attention (docs/kernels/cube.md, Attention): softmax(scale * Q * Kt) * V. The matrix unit computes the products; the control
// core computes the softmax between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/kernels/cube/engine.h"
#include "coxswain/kernels/cube/matrix.h"
#include "coxswain/kernels/cube/stream.h"

namespace cox::kernels::cube {

/// Operands, all in DRAM: `queries` s x d, `keys` d x t, `values` t x w, `output` s x w. Queries, values and output are row-major. A
/// row-major matrix of keys, t x d, is passed as the column-major d x t matrix.
struct AttentionArguments {
  Matrix queries, keys, values, output;
  Type type = Type::bfloat16;            ///< of queries, keys and values, and of the weights between the products: bfloat16 or half
  OutputType to = OutputType::bfloat16;  ///< float32, half or bfloat16
  float scale = 0;                       ///< factor of the scores; 0: 1 / sqrt(d)
  bool causal = false;                   ///< query i sees only the keys up to i + `diagonal`
  std::int32_t diagonal = 0;
  std::span<std::byte> scratch;  ///< in DRAM: attention_scratch_bytes() bytes; with fewer, queries are processed in smaller blocks
};

/// The most rows of queries in a block. Blocks are smaller if scratch has fewer than attention_scratch_bytes() bytes.
inline constexpr std::uint32_t kAttentionRows = 128;
/// attention_scratch_bytes() returns the bytes of scratch for blocks of kAttentionRows rows. attention_least_scratch_bytes() returns the
/// smallest number of bytes that attention() accepts. Errors: those of attention() for `queries` and `keys`.
Result<std::uint64_t> attention_scratch_bytes(const AttentionArguments &arguments);
Result<std::uint64_t> attention_least_scratch_bytes(const AttentionArguments &arguments);

/// Two streams that the engine runs in turn. The caller calls Stream::init(); attention() attaches and clears them. For each block of
/// queries, attention() appends the instructions of one matrix product to `scores` and those of another to `output`. A stream that has no
/// room for such a product must have several segments.
struct AttentionStreams {
  Stream &scores, &output;
};

/// Runs one head of attention and returns when it has ended. While the core computes one block's softmax, the matrix unit computes the
/// scores of the next block and the output of the previous one. The caller cleans what it wrote to operands and invalidates `output`
/// (hal/cache.h). The core's cached contents of scratch are dropped.
///
/// A score is a chain of fma along d in FP32, times `scale`. Weights are those of softmax_rows(). An output is a chain of fma of weights
/// and values along t, rounded once. Keys that a query does not see have weight 0, and a query that sees no key has an output of 0. The
/// product of a block reads the values of all keys up to the last key that any query of the block sees. An infinity or NaN among these
/// values makes an output NaN even if the value's weight is 0.
///
/// Errors before anything is touched:
/// - unsupported: AttentionArguments does not allow this `type` or `to`.
/// - invalid_argument: a size of 0, a `scale` that is not finite, an operand in L1, an unknown order, a column-major output.
/// - shape_mismatch: rows or columns that do not match (`what` is the matrix, `limit` the required size).
/// - no_room ("scratch"); misaligned_address ("scratch"; the alignment is 32).
/// - tensor_overlap: scratch or output shares bytes with an operand, or with each other.
/// - the errors of gemm() for operands.
/// Later errors are those of the engine; each wait lasts at most `limit_us`. All streams have ended when attention() returns such an error,
/// and the output may be partly written.
Status attention(Engine &engine, const AttentionStreams &streams, const AttentionArguments &arguments,
                 std::uint64_t limit_us = Engine::kDefaultLimit);

}  // namespace cox::kernels::cube
