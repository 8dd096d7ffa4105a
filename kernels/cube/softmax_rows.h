// SPDX-License-Identifier: MIT
// Softmax over rows of FP32 scores on the control core, in place. Attention uses it between its two products (docs/kernels/cube.md,
// Attention).
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/cube/layout.h"

namespace cox::kernels::cube {

/// Rows of `columns` FP32 scores, `pitch` bytes apart (a multiple of 4, at least 4 * columns), aligned to 4 bytes. Row i sees only its
/// first `visible` + i * `visible_step` columns, at most all of them; the other columns are masked.
struct ScoreRows {
  std::byte *first = nullptr;
  std::size_t pitch = 0;
  std::uint32_t rows = 0, columns = 0;
  std::int64_t visible = 0;
  std::uint32_t visible_step = 0;

  [[nodiscard]] constexpr std::uint32_t visible_in(std::uint32_t row) const {
    const std::int64_t count = visible + std::int64_t{row} * visible_step;
    return count < 0 ? 0 : count > std::int64_t{columns} ? columns : static_cast<std::uint32_t>(count);
  }
};

/// A weight is 0 if its score minus the row's maximum is less than this: it would be less than 2^-92 of the largest weight.
inline constexpr float kLeastDifference = -64.0F;

/// Replaces each row by its weights exp(score - maximum) / sum in `type` (bfloat16 or half), 2 bytes each, from the row's first byte on.
/// The rest of the row becomes undefined.
/// The sum of a row is (s0 + s1) + (s2 + s3) in FP32, where sj is the sum of the columns with column % 4 == j. Each exponential is
/// multiplied by the reciprocal of the row's sum and rounded to nearest even. Before that rounding, the relative error of a weight is at
/// most 2^-24 * (8 + columns / 4 + |score - maximum|).
/// Masked columns, scores below maximum + kLeastDifference, and scores of -infinity have weight +0, so a row without other scores is all
/// zeros. A NaN or +infinity in a visible column makes all visible weights NaN: 0x7FC0 in bfloat16, 0x7E00 in half.
void softmax_rows(const ScoreRows &scores, isa::cube::Type type);
/// Does the same as softmax_rows(), with the same bits, but does not use the vector unit of the core.
void softmax_rows_plain(const ScoreRows &scores, isa::cube::Type type);

}  // namespace cox::kernels::cube
