// SPDX-License-Identifier: MIT
#include "tools/lower/weights/weight_tiles.h"

#include <algorithm>
#include <numeric>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/layout.h"

namespace cox::lower {
namespace {

/// Tiles begin at a multiple of this number of kernels, so that their output begins at a multiple of 8 bytes.
constexpr std::uint32_t kKernelGranule = 8;
/// Eight kernels for each of the eight columns of the grid of processing elements. If a tile has room for this many kernels, its number of
/// kernels is a multiple of this number.
constexpr std::uint32_t kGridGranule = 64;

/// Returns half of WL0 in bytes, rounded down to whole units.
std::int64_t half_of_buffer(const Plan &plan) { return plan.wl0_bytes / isa::tile::kWeightUnitBytes / 2 * isa::tile::kWeightUnitBytes; }

/// Returns the number of kernels for each tile, so that tiles have about the same size. `most`: how many kernels fit a tile.
std::uint32_t kernels_of_tile(std::uint32_t all, std::uint32_t most, std::uint32_t least) {
  if (most >= all) return all;
  const std::uint32_t granule = most >= kGridGranule && least == kKernelGranule ? kGridGranule : least;
  const std::uint32_t largest = most / granule * granule;
  const std::uint32_t tiles = (all + largest - 1) / largest;
  return static_cast<std::uint32_t>(isa::tile::align_up((all + tiles - 1) / tiles, granule));
}

/// Returns the granule of a layer's kernels: tiles and the cores' slices begin at multiples of this number. In a layer with groups, a
/// granule has the kernels of whole groups. Together these groups read a multiple of 8 input channels, so that the input of each tile
/// begins at a multiple of 8 bytes.
std::uint32_t granule_of(const Network &network, const Layer &layer) {
  if (layer.groups == 1) return kKernelGranule;
  const std::uint32_t channels = network.kernel_channels(layer);
  const std::uint32_t groups = kKernelGranule / std::gcd(kKernelGranule, channels);
  return std::lcm(kKernelGranule, groups * (network.output_of(layer).shape.channels / layer.groups));
}

}  // namespace

std::vector<Slice> slices_of(const Network &network, const Layer &layer, const Plan &plan) {
  const std::uint32_t all = network.output_of(layer).shape.channels;
  std::vector<Slice> slices(plan.cores, Slice{0, all});
  if (plan.division != Division::kernels) return slices;
  const std::uint32_t granule = granule_of(network, layer);
  const auto each = static_cast<std::uint32_t>(isa::tile::align_up((all + plan.cores - 1) / plan.cores, granule));
  for (unsigned core = 0; core < plan.cores; ++core) {
    const std::uint32_t first = std::min(core * each, all);
    slices[core] = {first, std::min(each, all - first)};
  }
  return slices;
}

std::vector<std::vector<WeightTile>> tile_weights(const Network &network, const WeightImage &image, const Plan &plan) {
  const std::int64_t half = half_of_buffer(plan);
  std::vector<std::vector<WeightTile>> tiles(network.layers.size());
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer &layer = network.layers[i];
    if (!layer.has_weights()) continue;
    const WeightRecords &records = image.layers[i];
    const std::vector<Slice> slices = slices_of(network, layer, plan);
    const std::uint32_t all = slices[0].kernels;  // kernels of the first core; no other core has more
    const std::uint32_t least = std::min(all, granule_of(network, layer));
    if (half / records.record_bytes < least) {
      throw NetworkError(network.file, layer.name, "kernel",
                         std::to_string(least) + " kernels of " + std::to_string(records.record_bytes) +
                             " bytes do not fit half of the weight buffer, " + std::to_string(half) + " bytes");
    }
    const auto most = std::max<std::int64_t>(std::min(plan.tile_bytes, half) / records.record_bytes, least);
    const std::uint32_t kernels = kernels_of_tile(all, static_cast<std::uint32_t>(most), least);
    for (std::uint32_t first = 0; first < all; first += kernels) {
      WeightTile &tile = tiles[i].emplace_back();
      tile.layer = i;
      tile.number = static_cast<std::uint32_t>(tiles[i].size()) - 1;
      tile.bytes = std::int64_t{std::min(kernels, all - first)} * records.record_bytes;
      for (const Slice &slice : slices) {
        const std::uint32_t begin = std::min(first, slice.kernels);
        tile.slices.push_back({slice.first_kernel + begin, std::min(kernels, slice.kernels - begin)});
      }
    }
  }
  return tiles;
}

}  // namespace cox::lower
