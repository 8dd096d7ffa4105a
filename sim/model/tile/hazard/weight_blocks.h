// SPDX-License-Identifier: MIT
// The content of WL0: one block of weight records for each load. Tokens order loads and convolutions, but do not say which block a
// convolution is meant to read. WeightBlocks finds that out by the shape of the records and by the layers that the task's text names.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "coxswain/isa/tile/operation.h"

namespace cox::model::hazard {

/// The layer in which an instruction runs (slyr in the task's text), or -1 if it is not known. Also the layers
/// for which a load is meant (clyr), or none if they are not known.
struct Layers {
  std::int32_t runs_in = -1;
  std::span<const std::int32_t> is_for;
};

/// A convolution reads weights that were not loaded for it: legal, but suspect.
struct StaleWeights {
  std::int32_t convolution = -1;
  std::int64_t address = 0;                  ///< address of the block, in WL0's unit of 64 bytes
  std::vector<std::int32_t> overwritten_by;  ///< loads that wrote something else over its weights, in program order
  std::int32_t loaded_by = -1;               ///< the last load that wrote the weights for this convolution, if there was one
  bool never_loaded = false;                 ///< no load has written some of the bytes
};

class WeightBlocks {
 public:
  /// Call this function for each operation of a task, in an order in which they can run. Returns true and fills `stale` if `operation` is
  /// a convolution and reads bytes of WL0 whose last writer is not a load for this convolution. A load is for a convolution if
  /// - its records have as many channels, rows and columns as the convolution's kernels;
  /// - the distance from its first record to the convolution's first record is a whole number of records;
  /// - the load's layers include the convolution's layer, if the task's text names both.
  /// `layers.is_for` must outlive this object.
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
  /// Maps the first byte of a range, which reaches to the next entry, to an index in blocks_; -1: no load has written the range.
  std::map<std::int64_t, int> bytes_{{0, -1}};
};

}  // namespace cox::model::hazard
