// SPDX-License-Identifier: MIT
// A matrix product, cut (kernels/cube/tile_chooser.h) and written as slots (docs/kernels/cube.md, Pipelining). Of the kernels' inside.
#pragma once

#include <cstdint>

#include "kernels/cube/block_pattern.h"
#include "kernels/cube/multiply_stage.h"
#include "kernels/cube/operand_source.h"
#include "kernels/cube/output_stage.h"
#include "kernels/cube/tile_chooser.h"

namespace cox::kernels::cube {

class ProductPipeline {
 public:
  struct Operand {
    Matrix matrix;  ///< with its pitch
    std::uint64_t batch_stride = 0;
  };
  struct Arguments {
    Product product;
    Operand left, right;
    std::uint32_t first_column = 0;                                                  ///< of B and C, that is the product's first
    std::uint64_t output = 0, output_stride = 0, residual = 0, residual_stride = 0;  ///< of element (0, 0), first column or not
    OutputStage::Configuration stage;                                                ///< but for tiles and C's place in L1
    std::uint32_t l1 = 0;  ///< where the product's l1_bytes begin, a multiple of 512
  };

  /// False: Stream::status() says why.
  bool run(Stream &stream, const Arguments &arguments, const Tiling &tiling);

 private:
  /// Rows of A, or columns of B, of a tile.
  struct Panel {
    std::uint32_t index = 0, begin = 0, size = 0;
    bool first = false, last = false;  ///< of its dimension
  };
  /// What a tile loads.
  struct Loads {
    bool outer = false, inner = false, streams = false;
  };

  void place();
  void count();
  [[nodiscard]] bool blocks_tell_of_fix() const;
  bool run_batch(Stream &stream, bool last);
  bool run_panel(Stream &stream, const Panel &outer, bool last);
  bool run_tile(Stream &stream, const Panel &outer, const Panel &inner, std::uint32_t inner_offset);
  /// All blocks of a tile by patterns.
  bool run_even_blocks(Stream &stream, const Loads &loads, std::uint32_t inner_index, std::uint32_t inner_offset);
  /// The full ones that a tile begins with, where the inner operand comes or both do.
  bool run_full_blocks(Stream &stream, bool both_come);
  /// Before the first of tiles that follow each other and are alike.
  void begin_full_blocks(bool both_come);
  /// How many of the next tiles of a panel, but for its first one, of which `rest` rows or columns are left, differ in their places alone:
  /// all of their blocks are full, the inner operand comes, and so does the outer one by turns, or not at all.
  [[nodiscard]] std::uint32_t alike_tiles(std::uint32_t rest) const;
  bool run_alike_tiles(Stream &stream, const Panel &outer, std::uint32_t begin, std::uint32_t tiles);
  void begin_pattern();
  struct Walk;
  [[nodiscard]] Walk walk_of(const OperandSource &source, bool loads, bool streams, std::uint32_t from, std::uint32_t unit) const;
  /// Where in L1 a block of the tile begins.
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
  std::uint64_t outer_address_ = 0, inner_address_ = 0;  ///< of the batch
  std::uint32_t unit_ = 1, k_units_ = 0, outer_tiles_ = 0, inner_tiles_ = 0, inner_unit_ = 1;
  std::uint32_t panel_ = 0;                         ///< of all batches
  std::uint32_t even_steps_ = 0, even_blocks_ = 0;  ///< of a tile without a short start
  std::uint32_t full_blocks_ = 0;                   ///< of these, that part_of() does not shorten
  BlockPattern pattern_;
  std::uint32_t pattern_m_ = 0, pattern_n_ = 0;  ///< tiles that it is for
  bool has_alike_tiles_ = false, panel_flags_ = false, first_tile_ = true, one_step_ = false;
};

}  // namespace cox::kernels::cube
