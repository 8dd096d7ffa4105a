// SPDX-License-Identifier: MIT
// Maps higher or wider than an instruction takes, cut into pieces (docs/kernels/mx.md, decompositions). Of the kernels' inside.
//
// An instruction pads all sides of what it is given, inner edges of a piece, too. So a piece gives it more rows than it is to answer for,
// with the layer's own padding, and outputs near an inner edge are thrown away: first and last rows of a map meet the same padding as in
// one instruction, all others meet none, and every output has the bits that one instruction would give.
#pragma once

#include <cstdint>

#include "kernels/mx/copy.h"
#include "kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// The window of a convolution or pooling along one axis.
struct WindowShape {
  std::uint32_t kernel = 1, stride = 1, padding = 0;
};

/// An axis longer than isa::mx::kMostSide is cut into pieces of this many inputs: a row piece of a whole channel block is one MOVE's run
/// then, and scratch stays small beside the map.
inline constexpr std::uint32_t kPieceSide = 256;

/// A part of the rows, or of the columns.
struct Piece {
  std::uint32_t input_first = 0, input_count = 0;    ///< what the instruction reads
  std::uint32_t output_first = 0, output_count = 0;  ///< the layer's outputs that it makes
  std::uint32_t discarded = 0;                       ///< outputs of the instruction before those
  std::uint32_t instruction_outputs = 0;             ///< outputs of the instruction in all: output_side() of input_count

  [[nodiscard]] constexpr std::uint32_t output_end() const { return output_first + output_count; }
};

/// The piece of an axis of `side` inputs whose first output is `output_first`: 0, then output_end() of the piece before, until that is
/// output_side() of the axis. padding is less than the kernel, kernel and padding are at most 15, stride at most 3, and the window fits
/// once.
[[nodiscard]] Piece piece_at(const WindowShape &window, std::uint32_t side, std::uint32_t output_first);

/// The most inputs, and outputs of an instruction, that any piece of the axis has.
[[nodiscard]] std::uint32_t most_piece_inputs(std::uint32_t side);
[[nodiscard]] std::uint32_t most_piece_outputs(const WindowShape &window, std::uint32_t side);

[[nodiscard]] constexpr bool needs_pieces(const Tensor &input) {
  return input.height > isa::mx::kMostSide || input.width > isa::mx::kMostSide;
}

}  // namespace cox::kernels::mx
