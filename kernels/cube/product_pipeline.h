// SPDX-License-Identifier: MIT
// Writes a matrix product, cut by kernels/cube/tile_chooser.h, as slots (docs/kernels/cube.md, Pipelining). Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/kernels/cube/block_pattern.h"
#include "coxswain/kernels/cube/multiply_stage.h"
#include "coxswain/kernels/cube/operand_source.h"
#include "coxswain/kernels/cube/output_stage.h"
#include "coxswain/kernels/cube/tile_chooser.h"

namespace cox::kernels::cube {

class ProductPipeline {
 public:
  struct Operand {
    Matrix matrix;  ///< with the actual pitch; 0 does not mean "no gaps" here
    std::uint64_t batch_stride = 0;
  };
  struct Arguments {
    Product product;
    Operand left, right;
    std::uint32_t first_column = 0;  ///< column of B and C at which the product begins
    /// Bus addresses of element (0, 0) of the whole output and of the whole C, and bytes from one batch to the next.
    std::uint64_t output = 0, output_stride = 0, residual = 0, residual_stride = 0;
    OutputStage::Configuration stage;  ///< run() sets tiles, residual_flags, residual_l1, residual_bytes and output.residual_pitch
    std::uint32_t l1 = 0;              ///< L1 address of the l1_bytes that the product may use, a multiple of 512
    bool channels_fit = true;          ///< false: L1 has no room for biases and factors, and the caller must not run() the product
  };

  /// Writes the product. If it returns false, Stream::status() holds the error.
  bool run(Stream &stream, const Arguments &arguments, const Tiling &tiling);

 private:
  /// A range of the rows of A, or of the columns of B, as large as a side of a tile.
  struct Panel {
    std::uint32_t index = 0, begin = 0, size = 0;
    bool first = false, last = false;  ///< first and last panel of its dimension
  };
  /// Says which operands a tile loads.
  struct Loads {
    bool outer = false, inner = false, streams = false;
  };

  void place();
  void count();
  [[nodiscard]] bool blocks_tell_of_fix() const;
  bool run_batch(Stream &stream, bool last);
  bool run_panel(Stream &stream, const Panel &outer, bool last);
  bool run_tile(Stream &stream, const Panel &outer, const Panel &inner, std::uint32_t inner_offset);
  /// Writes all blocks of a tile with a BlockPattern or a StepPattern.
  bool run_even_blocks(Stream &stream, const Loads &loads, std::uint32_t inner_index, std::uint32_t inner_offset);
  /// Writes the full blocks at the beginning of a tile with `pattern_`. A full block is one that part_of() does not shorten. Each block
  /// loads its part of the inner operand (Tiling) and, if `both_come`, of the outer operand.
  bool run_full_blocks(Stream &stream, bool both_come);
  /// Prepares run_full_blocks(). Call it before the first of several similar tiles (alike_tiles()).
  void begin_full_blocks(bool both_come);
  /// Returns how many of the next tiles differ only in addresses. `rest` is the number of rows (of B, columns) of the inner operand that
  /// the inner loop has not reached yet. Call it only after the first tile of the panel.
  [[nodiscard]] std::uint32_t alike_tiles(std::uint32_t rest) const;
  bool run_alike_tiles(Stream &stream, const Panel &outer, std::uint32_t begin, std::uint32_t tiles);
  void begin_pattern();
  struct Walk;
  [[nodiscard]] Walk walk_of(const OperandSource &source, bool loads, bool streams, std::uint32_t from, std::uint32_t unit) const;
  /// Return the L1 address at which a block of the tile begins.
  [[nodiscard]] std::uint32_t outer_from(std::uint32_t unit) const;
  [[nodiscard]] std::uint32_t inner_from(std::uint32_t index, std::uint32_t unit, std::uint32_t offset) const;
  bool load_block(Stream &stream, const Loads &loads, std::uint32_t inner_index, std::uint32_t unit, std::uint32_t k, bool waits);
  [[nodiscard]] OutputStage::Tile output_tile(const Panel &outer, const Panel &inner) const;

  Arguments arguments_;
  Tiling tiling_;
  MultiplyStage multiply_;
  OutputStage output_;
  OperandSource outer_, inner_;
  Ring blocks_, panels_;
  std::uint64_t outer_address_ = 0, inner_address_ = 0;  ///< addresses of the current batch
  std::uint32_t unit_ = 1, k_units_ = 0, outer_tiles_ = 0, inner_tiles_ = 0, inner_unit_ = 1;
  std::uint32_t panel_ = 0;                         ///< index of the outer panel, counted over all batches
  std::uint32_t even_steps_ = 0, even_blocks_ = 0;  ///< steps and blocks of a tile without Tiling::short_start
  std::uint32_t full_blocks_ = 0;                   ///< how many blocks run_full_blocks() writes for a tile
  BlockPattern pattern_;
  std::uint32_t pattern_m_ = 0, pattern_n_ = 0;  ///< size of the tiles for which pattern_ was made; 0: not made yet
  bool has_alike_tiles_ = false, panel_flags_ = false, first_tile_ = true, one_step_ = false;
};

}  // namespace cox::kernels::cube
