// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "coxswain/isa/mx/operation.h"

namespace cox::kernels::mx {
namespace pieces_test {

/// Returns the range of inputs that the window of an output covers. The padding is not in the range.
std::pair<std::int64_t, std::int64_t> inputs_of(const WindowShape &window, std::int64_t output, std::int64_t side) {
  const std::int64_t first = output * window.stride - window.padding;
  return {std::max<std::int64_t>(first, 0), std::min(first + window.kernel, side)};
}

/// Expects that every output of every piece has the same inputs as in the whole map, and that each piece fits an instruction.
void expect_pieces(const WindowShape &window, std::uint32_t side) {
  const std::uint32_t outputs = isa::mx::output_side(side, window.kernel, window.stride, window.padding);
  std::uint32_t next = 0;
  while (next < outputs) {
    const Piece piece = piece_at(window, side, next);
    ASSERT_EQ(piece.output_first, next);
    ASSERT_GT(piece.output_count, 0U);
    ASSERT_LE(piece.input_count, isa::mx::kMostSide);
    ASSERT_LE(piece.input_first + piece.input_count, side);
    ASSERT_LE(piece.input_count, most_piece_inputs(side));
    ASSERT_LE(piece.instruction_outputs, most_piece_outputs(window, side));
    ASSERT_EQ(piece.instruction_outputs, isa::mx::output_side(piece.input_count, window.kernel, window.stride, window.padding));
    ASSERT_LE(piece.discarded + piece.output_count, piece.instruction_outputs);
    for (std::uint32_t i = 0; i < piece.output_count; ++i) {
      const auto whole = inputs_of(window, next + i, side);
      const auto part = inputs_of(window, piece.discarded + i, piece.input_count);
      ASSERT_EQ(part.first + piece.input_first, whole.first) << "output " << next + i;
      ASSERT_EQ(part.second + piece.input_first, whole.second) << "output " << next + i;
    }
    next = piece.output_end();
  }
  EXPECT_EQ(next, outputs);
}

TEST(Pieces, EveryOutputSeesItsInputs) {
  for (std::uint32_t kernel = 1; kernel <= 15; ++kernel) {
    for (std::uint32_t stride = 1; stride <= 3; ++stride) {
      for (std::uint32_t padding = 0; padding < std::min(kernel, 8U); ++padding) {
        for (const std::uint32_t side : {1U, 14U, 1023U, 1024U, 1025U, 1026U, 1027U, 1279U, 1280U, 1281U, 2100U, 7001U}) {
          if (side + 2 * padding < kernel) continue;
          expect_pieces({kernel, stride, padding}, side);
          ASSERT_FALSE(HasFailure()) << kernel << " x " << kernel << ", stride " << stride << ", padding " << padding << ", side " << side;
        }
      }
    }
  }
}

TEST(Pieces, WhatFitsAnInstructionIsOne) {
  const Piece piece = piece_at({3, 2, 1}, 1024, 0);
  EXPECT_EQ(piece.input_count, 1024U);
  EXPECT_EQ(piece.output_count, 512U);
  EXPECT_FALSE(needs_pieces({0, 16, 1024, 1024}));
  EXPECT_TRUE(needs_pieces({0, 16, 1025, 1}));
  EXPECT_TRUE(needs_pieces({0, 16, 1, 1025}));
}

/// With a 3x3 kernel, stride 1 and padding 1, output 0 needs inputs 0 and 1. Output 255 needs input 256, which is not among the first 256
/// inputs.
TEST(Pieces, AnInnerEdge) {
  const Piece first = piece_at({3, 1, 1}, 1025, 0);
  EXPECT_EQ(first.output_count, 255U);
  EXPECT_EQ(first.discarded, 0U);
  const Piece second = piece_at({3, 1, 1}, 1025, 255);
  EXPECT_EQ(second.input_first, 254U);
  EXPECT_EQ(second.discarded, 1U);
  EXPECT_EQ(second.output_count, 254U) << "all of 256 outputs except those at the edges";
}

}  // namespace pieces_test
}  // namespace cox::kernels::mx
