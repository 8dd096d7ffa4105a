// SPDX-License-Identifier: MIT
#include "sim/model/tile/hazard/weight_blocks.h"

#include <algorithm>
#include <iterator>

namespace cox::model::hazard {

namespace tile = isa::tile;

void WeightBlocks::divide(std::int64_t address) {
  const auto next = bytes_.upper_bound(address);
  bytes_.emplace_hint(next, address, std::prev(next)->second);
}

void WeightBlocks::load(std::int32_t instruction, const tile::WeightMove &move, const Layers &layers) {
  divide(move.to);
  divide(move.to + move.bytes);
  bytes_.erase(bytes_.find(move.to), bytes_.find(move.to + move.bytes));
  bytes_[move.to] = static_cast<int>(blocks_.size());
  blocks_.push_back({instruction, move, layers.is_for});
}

bool WeightBlocks::fits(const Block &block, const tile::Convolution &convolution, const Layers &layers) {
  const tile::WeightMove &move = block.move;
  if (move.channels != convolution.channels || move.rows != convolution.kernel_height || move.columns != convolution.kernel_width)
    return false;
  if ((convolution.weights - move.to) % convolution.record_bytes != 0) return false;
  return layers.runs_in < 0 || block.is_for.empty() ||
         std::find(block.is_for.begin(), block.is_for.end(), layers.runs_in) != block.is_for.end();
}

bool WeightBlocks::is_stale(std::int32_t instruction, const tile::Convolution &convolution, const Layers &layers,
                            StaleWeights &stale) const {
  stale = StaleWeights{};
  stale.convolution = instruction;
  stale.address = convolution.weights / tile::kWeightUnitBytes;
  const std::int64_t end = convolution.weights + std::int64_t{convolution.kernels} * convolution.record_bytes;
  for (auto at = std::prev(bytes_.upper_bound(convolution.weights)); at != bytes_.end() && at->first < end; ++at) {
    if (at->second < 0) {
      stale.never_loaded = true;
    } else if (const Block &block = blocks_[static_cast<std::size_t>(at->second)]; !fits(block, convolution, layers)) {
      stale.overwritten_by.push_back(block.instruction);
    }
  }
  std::sort(stale.overwritten_by.begin(), stale.overwritten_by.end());
  stale.overwritten_by.erase(std::unique(stale.overwritten_by.begin(), stale.overwritten_by.end()), stale.overwritten_by.end());
  const auto meant = std::find_if(blocks_.rbegin(), blocks_.rend(), [&](const Block &block) {
    return block.move.to <= convolution.weights && block.move.to + block.move.bytes >= end && fits(block, convolution, layers);
  });
  if (meant != blocks_.rend()) stale.loaded_by = meant->instruction;
  return stale.never_loaded || !stale.overwritten_by.empty();
}

bool WeightBlocks::is_stale_after(std::int32_t instruction, const tile::Operation &operation, const Layers &layers, StaleWeights &stale) {
  if (const auto *move = std::get_if<tile::WeightMove>(&operation); move != nullptr && move->to_space == tile::Space::wl0) {
    load(instruction, *move, layers);
  }
  const auto *convolution = std::get_if<tile::Convolution>(&operation);
  return convolution != nullptr && is_stale(instruction, *convolution, layers, stale);
}

}  // namespace cox::model::hazard
