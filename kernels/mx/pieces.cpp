// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/pieces.h"

#include <algorithm>

#include "coxswain/isa/mx/operation.h"

namespace cox::kernels::mx {

using isa::mx::output_side;

Piece piece_at(const WindowShape &window, std::uint32_t side, std::uint32_t output_first) {
  const std::uint32_t outputs = output_side(side, window.kernel, window.stride, window.padding);
  Piece piece;
  piece.output_first = output_first;
  // The instruction reads padding in front of the piece. In the map, only the first piece has padding there. For other pieces, the outputs
  // computed from this padding are wrong and are discarded.
  piece.discarded = output_first == 0 ? 0 : (window.padding + window.stride - 1) / window.stride;
  piece.input_first = window.stride * (output_first - piece.discarded);
  const std::uint32_t left = side - piece.input_first;
  piece.input_count = std::min(left, most_piece_inputs(side));
  piece.instruction_outputs = output_side(piece.input_count, window.kernel, window.stride, window.padding);
  piece.output_count = outputs - output_first;
  if (piece.input_count < left) {
    const std::uint32_t whole = (piece.input_count + window.padding - window.kernel) / window.stride + 1 - piece.discarded;
    piece.output_count = std::min(piece.output_count, whole);
  }
  return piece;
}

std::uint32_t most_piece_inputs(std::uint32_t side) { return side <= isa::mx::kMostSide ? side : kPieceSide; }

std::uint32_t most_piece_outputs(const WindowShape &window, std::uint32_t side) {
  return output_side(most_piece_inputs(side), window.kernel, window.stride, window.padding);
}

}  // namespace cox::kernels::mx
