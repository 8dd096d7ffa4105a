// SPDX-License-Identifier: MIT
// What stands in WL0: a block of weight records a load. Order says nothing about whether the block that a convolution reads is the one
// meant for it; the records' shape and the layers of the mapping part do.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "isa/tile/operation.h"

namespace cox::model::hazard {

/// From the mapping part: the layer in which an instruction runs (slyr), and those that a load is for (clyr). -1 and empty: not known.
struct Layers {
  std::int32_t runs_in = -1;
  std::span<const std::int32_t> is_for;
};

/// A convolution reads weights that were not loaded for it: legal, but suspect.
struct StaleWeights {
  std::int32_t convolution = -1;
  std::int64_t address = 0;                  ///< of the block, in WL0's unit of 64 bytes
  std::vector<std::int32_t> overwritten_by;  ///< the loads of bytes that are not its weights, in order
  std::int32_t loaded_by = -1;               ///< the last load that fits the convolution, if there was one
  bool never_loaded = false;                 ///< some bytes no load has written at all
};

class WeightBlocks {
 public:
  /// Takes operations in an order in which they can run. Returns true and fills `stale` where a convolution's weights are not those loaded
  /// for it: each byte must come from a load of records of the same C, R and S, a whole number of records away, and for a layer that the
  /// convolution runs in, where both are known. `layers.is_for` must outlive this object.
  [[nodiscard]] bool is_stale_after(std::int32_t instruction, const isa::tile::Operation &operation, const Layers &layers,
                                    StaleWeights &stale);

 private:
  struct Block {
    std::int32_t instruction;
    isa::tile::WeightMove move;
    std::span<const std::int32_t> is_for;
  };
  static bool fits(const Block &block, const isa::tile::Convolution &convolution, const Layers &layers);
  void divide(std::int64_t address);
  void load(std::int32_t instruction, const isa::tile::WeightMove &move, const Layers &layers);
  [[nodiscard]] bool is_stale(std::int32_t instruction, const isa::tile::Convolution &convolution, const Layers &layers,
                              StaleWeights &stale) const;

  std::vector<Block> blocks_;
  std::map<std::int64_t, int> bytes_{{0, -1}};  ///< by first byte, up to the next: index in blocks_, -1 none
};

}  // namespace cox::model::hazard
