// SPDX-License-Identifier: MIT
// Checks attention()'s arguments and cuts them into blocks of queries (docs/kernels/cube.md, Attention). Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/kernels/cube/attention.h"
#include "coxswain/kernels/cube/gemm.h"
#include "coxswain/kernels/cube/softmax_rows.h"

namespace cox::kernels::cube {

/// Errors: those that attention() returns before anything is touched.
[[nodiscard]] Status check_arguments(const AttentionStreams &streams, const AttentionArguments &arguments);

/// Cuts the queries of checked arguments into blocks. Even blocks use one half of scratch for their scores, odd blocks the other. The
/// control core overwrites each row of scores with its weights.
class AttentionBlocks {
 public:
  explicit AttentionBlocks(const AttentionArguments &arguments);

  [[nodiscard]] std::uint32_t count() const { return (arguments_.queries.rows + rows_ - 1) / rows_; }
  [[nodiscard]] GemmArguments scores(std::uint32_t block) const;
  [[nodiscard]] GemmArguments output(std::uint32_t block) const;
  [[nodiscard]] ScoreRows rows(std::uint32_t block) const;
  /// Returns the part of scratch that the block uses.
  [[nodiscard]] std::span<std::byte> scratch(std::uint32_t block) const;

 private:
  struct Block {
    std::uint32_t first = 0, rows = 0;
    std::int64_t visible = 0;  ///< number of keys that the block's first query sees
    std::uint32_t keys = 0;    ///< number of keys that any of the block's queries sees, at least 1
  };
  [[nodiscard]] Block at(std::uint32_t block) const;
  [[nodiscard]] Matrix scores_matrix(std::uint32_t block) const;

  const AttentionArguments &arguments_;
  std::uint32_t pitch_ = 0, rows_ = 0;
  float scale_ = 1;
};

}  // namespace cox::kernels::cube
