// SPDX-License-Identifier: MIT
// Tiles of L0C, step by step along k: two moves from L1 and a MAD each, whatever the operands are moved from (docs/kernels/cube.md,
// Pipelining). Of the kernels' inside.
#pragma once

#include <array>
#include <cstdint>

#include "isa/cube/layout.h"
#include "kernels/cube/pipeline.h"
#include "kernels/cube/step_pattern.h"
#include "kernels/cube/stream.h"
#include "kernels/cube/tile_chooser.h"

namespace cox::kernels::cube {

/// How an operand gets to L0.
struct OperandMove {
  isa::cube::MachineCode code{};  ///< L1_TO_L0A, L1_TO_L0B or IM2COL_TO_L0A without flags, L0 address, Rows and Columns
  std::uint32_t along = 0;        ///< the word that says where along k it starts: that of Source, of IM2COL_TO_L0A that of FirstColumn
  std::uint32_t stride = 0;       ///< what is added to that word for each k_unit()
};

enum class Kept : std::uint8_t { none, left, right };

/// Writes the slots of MTE1 and M. Operands lie in L0 by turns in its two banks; one of them may be kept there for the tiles that share it.
class MultiplyStage {
 public:
  struct Configuration {
    isa::cube::Type type = isa::cube::Type::bfloat16;
    std::uint32_t step_units = 1;  ///< of k in a step, at most
    std::uint32_t steps = 0;       ///< of all tiles
    std::uint32_t tiles = 0;
    Kept kept = Kept::none;
    std::uint32_t kept_step_bytes = 0;  ///< of the kept operand in L0, a full step
  };
  struct Tile {
    std::uint32_t m = 0, n = 0;
    bool moves_left = true, moves_right = true;  ///< false: of the operand that is kept, where the tile before has it there
    std::uint32_t kept_from = 0;                 ///< the place of its first step: 0, or by turns 0 and 1 where all of k is one step
  };
  /// A part of k that is in L1.
  struct Block {
    std::uint32_t k = 0;                ///< elements; a multiple of k_unit(), but in the tile's last one
    std::uint32_t left = 0, right = 0;  ///< the words `along` at its start
    bool waits = false;                 ///< its first move takes kBlockReady
    bool frees = false;                 ///< its last move gives kBlockFree
    bool last = false;                  ///< of the tile: FIX gets it
  };

  /// `left` and `right` may be changed from tile to tile.
  OperandMove left, right;

  void begin(const Configuration &configuration);
  void begin_tile(const Tile &tile);
  /// The steps of a block. False: Stream::status() says why.
  bool run(Stream &stream, const Block &block);

  // For whoever writes all steps of a tile by itself, by a pattern. Each step waits for the one that had its bank before, and another one
  // for it, the first and the last of the stream excepted.

  [[nodiscard]] bool has_pattern(std::uint32_t steps) const;
  /// Of full steps.
  [[nodiscard]] StepPattern pattern() const;
  /// The same for a tile of the same size as the one that it was made for.
  void renew(StepPattern &pattern) const;
  /// And behind that tile's last step.
  void renew_sum(StepPattern &pattern) const { pattern.mad_low[2] = accumulators_; }
  /// What the pattern has too much in a block's last steps, where part_of() makes them shorter. `end`: of the block's slots.
  void shorten(isa::cube::MachineCode *end, std::uint32_t steps, const Block &block) const;
  /// The tile's first MAD, and its last.
  void begin_sum(isa::cube::MachineCode &mad);
  void end_sum(isa::cube::MachineCode &mad);
  /// So many steps of the tile were written.
  void skip(std::uint32_t steps) { step_.next(steps); }

  /// Of the tile that was begun last.
  [[nodiscard]] std::uint32_t accumulators() const { return accumulators_; }  ///< L0C address
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
