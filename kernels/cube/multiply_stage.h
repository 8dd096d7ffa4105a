// SPDX-License-Identifier: MIT
// Computes tiles in L0C, step by step along k. A step moves both operands from L1 to L0 and then does a MAD. An operand that is kept in
// L0 is not moved again (docs/kernels/cube.md, Pipelining). Internal to the kernels.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/isa/cube/layout.h"
#include "coxswain/kernels/cube/pipeline.h"
#include "coxswain/kernels/cube/step_pattern.h"
#include "coxswain/kernels/cube/stream.h"
#include "coxswain/kernels/cube/tile_chooser.h"

namespace cox::kernels::cube {

/// The instruction that moves an operand to L0.
struct OperandMove {
  /// L1_TO_L0A, L1_TO_L0B or IM2COL_TO_L0A. Its flags, L0 address, Rows and Columns are not set; MultiplyStage sets them for each step.
  isa::cube::MachineCode code{};
  /// Index of the word of `code` that says where along k the move starts: of FirstColumn in IM2COL_TO_L0A, else of Source.
  std::uint32_t along = 0;
  std::uint32_t stride = 0;  ///< increase of code[along] for each k_unit() elements of k
};

enum class Kept : std::uint8_t { none, left, right };

/// Writes the slots of MTE1 and M. Operands use the two banks of L0 in turn. One operand may be kept in L0 for the tiles that share it.
class MultiplyStage {
 public:
  struct Configuration {
    isa::cube::Type type = isa::cube::Type::bfloat16;
    std::uint32_t step_units = 1;  ///< largest number of units of k in a step
    std::uint32_t steps = 0;       ///< number of steps of all tiles
    std::uint32_t tiles = 0;
    Kept kept = Kept::none;
    std::uint32_t kept_step_bytes = 0;  ///< L0 bytes that a full step needs for the operand `kept`
  };
  struct Tile {
    std::uint32_t m = 0, n = 0;
    bool moves_left = true, moves_right = true;  ///< false for the kept operand if the previous tile left it in L0
    /// Number of the L0 bank that holds the kept operand's part for the first step. If k has only one step, consecutive panels use the
    /// banks in turn. Otherwise all panels begin with bank 0.
    std::uint32_t kept_from = 0;
  };
  /// A part of k whose operands are in L1.
  struct Block {
    std::uint32_t k = 0;                ///< elements of k; a multiple of k_unit(), except in the tile's last block
    std::uint32_t left = 0, right = 0;  ///< where the block begins in A and B: added to code[along] of each OperandMove
    bool waits = false;                 ///< the block's first move waits for kBlockReady
    bool frees = false;                 ///< the block's last move sets kBlockFree
    bool last = false;                  ///< the block is the tile's last one, after which FIX writes the tile out
  };

  /// The caller may change `left` and `right` between tiles.
  OperandMove left, right;

  void begin(const Configuration &configuration);
  void begin_tile(const Tile &tile);
  /// Writes the steps of a block. If it returns false, Stream::status() holds the error.
  bool run(Stream &stream, const Block &block);

  // The functions up to skip() are for callers that write all steps of a tile with a StepPattern. The first kBanks steps and the last
  // kBanks steps of the product use fewer flags, so a tile that contains one of them cannot be written with a StepPattern.

  [[nodiscard]] bool has_pattern(std::uint32_t steps) const;
  /// Returns a pattern that writes the tile's next steps if they have full length.
  [[nodiscard]] StepPattern pattern() const;
  /// Updates the pattern for the next tile, which must have the size of the tile that the pattern was made for.
  void renew(StepPattern &pattern) const;
  /// Updates the accumulators' address. Call it after the last step of the previous tile.
  void renew_sum(StepPattern &pattern) const { pattern.mad_low[2] = accumulators_; }
  /// Corrects the lengths of a block's last steps. The caller has written the block as `steps` full steps in the slots before `end`.
  void shorten(isa::cube::MachineCode *end, std::uint32_t steps, const Block &block) const;
  /// Mark the tile's first MAD (begin_sum) and its last MAD (end_sum).
  void begin_sum(isa::cube::MachineCode &mad);
  void end_sum(isa::cube::MachineCode &mad);
  /// Tells the stage that the caller has written `steps` steps of the tile with a StepPattern instead of run().
  void skip(std::uint32_t steps) { step_.next(steps); }

  /// The next functions describe the tile that was begun last.
  [[nodiscard]] std::uint32_t accumulators() const { return accumulators_; }  ///< L0C address of the tile
  [[nodiscard]] std::uint32_t m() const { return tile_.m; }
  [[nodiscard]] std::uint32_t n() const { return tile_.n; }
  [[nodiscard]] std::uint32_t column_fractals() const { return isa::cube::fractals(tile_.m, isa::cube::kFractalRows); }

 private:
  [[nodiscard]] std::uint32_t kept_address() const;
  void resize(isa::cube::MachineCode *step, std::uint32_t k) const;

  Configuration configuration_;
  Tile tile_;
  Ring step_, tile_ring_;
  isa::cube::MachineCode mad_{};
  std::uint32_t unit_shift_ = 0, step_k_ = 0, kept_step_ = 0, accumulators_ = 0;
  bool first_ = true;
};

}  // namespace cox::kernels::cube
