// SPDX-License-Identifier: MIT
#include "tools/lower/weight_tiles.h"

#include <algorithm>

#include "isa/tile/configuration.h"

namespace cox::lower {
namespace {

constexpr std::uint32_t kHalfUnits = isa::tile::kWeightUnits / 2;
constexpr std::uint32_t kHalfBytes = kHalfUnits * isa::tile::kWeightUnitBytes;
/// Tiles begin at a multiple of so many kernels, so that what they write begins at a multiple of 8 bytes.
constexpr std::uint32_t kKernelGranule = 8;

}  // namespace

std::vector<WeightTile> tile_weights(const Network &network, const WeightImage &image) {
  std::vector<WeightTile> tiles;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer &layer = network.layers[i];
    if (!layer.has_weights()) continue;
    const WeightRecords &records = image.layers[i];
    const std::uint32_t all = network.output_of(layer).shape.channels;
    std::uint32_t fitting = kHalfBytes / records.record_bytes;
    if (fitting < all) fitting -= fitting % kKernelGranule;
    if (fitting == 0) {
      throw NetworkError(network.file, layer.name, "kernel",
                         std::to_string(std::min(all, kKernelGranule)) + " kernels of " + std::to_string(records.record_bytes) +
                             " bytes do not fit half of the weight buffer, " + std::to_string(kHalfBytes) + " bytes");
    }
    for (std::uint32_t first = 0; first < all; first += fitting) {
      WeightTile &tile = tiles.emplace_back();
      tile.layer = i;
      tile.first_kernel = first;
      tile.kernels = std::min(fitting, all - first);
      tile.records_offset = records.offset + first * records.record_bytes;
      tile.unit = (tiles.size() - 1) % 2 * kHalfUnits;
      tile.bytes = std::int64_t{tile.kernels} * records.record_bytes;
    }
  }
  return tiles;
}

}  // namespace cox::lower
