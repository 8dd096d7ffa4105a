// SPDX-License-Identifier: MIT
// Cuts maps that are higher or wider than an instruction takes into pieces (docs/kernels/mx.md, decompositions). Internal to the kernels.
//
// Every output has the bits that one instruction for the whole map would give. An instruction pads all sides of its input, so it also pads
// a piece where the map was cut. Outputs near a cut are therefore wrong. Pieces overlap, so that these outputs can be discarded.
#pragma once

#include <cstdint>

#include "coxswain/kernels/mx/copy.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

/// The window of a convolution or pooling along one axis.
struct WindowShape {
  std::uint32_t kernel = 1, stride = 1, padding = 0;
};

/// If the map has more than isa::mx::kMostSide rows, they are cut into pieces of this many rows; columns likewise. A piece of 256 rows with
/// at most 1,024 columns has at most isa::mx::kMostBlocks blocks for each 16 channels, so one MOVE can copy these as one run. Scratch stays
/// small compared to the map.
inline constexpr std::uint32_t kPieceSide = 256;

/// A piece is a range of the map's rows, or of its columns.
struct Piece {
  std::uint32_t input_first = 0, input_count = 0;    ///< the rows or columns that the instruction reads
  std::uint32_t output_first = 0, output_count = 0;  ///< the rows or columns of the layer's output that the piece produces
  std::uint32_t discarded = 0;                       ///< outputs of the instruction before `output_first`
  std::uint32_t instruction_outputs = 0;             ///< all outputs of the instruction: output_side() of input_count

  [[nodiscard]] constexpr std::uint32_t output_end() const { return output_first + output_count; }
};

/// Returns the piece whose first output is `output_first`, from a map with `side` rows or columns. The first piece has output 0, and
/// each further piece begins at the output_end() of the one before. Requires padding < kernel <= 15, stride <= 3, and room for a window.
[[nodiscard]] Piece piece_at(const WindowShape &window, std::uint32_t side, std::uint32_t output_first);

/// Return the largest Piece::input_count, and the largest Piece::instruction_outputs, among the pieces of an axis with `side` inputs.
[[nodiscard]] std::uint32_t most_piece_inputs(std::uint32_t side);
[[nodiscard]] std::uint32_t most_piece_outputs(const WindowShape &window, std::uint32_t side);

[[nodiscard]] constexpr bool needs_pieces(const Tensor &input) {
  return input.height > isa::mx::kMostSide || input.width > isa::mx::kMostSide;
}

}  // namespace cox::kernels::mx
