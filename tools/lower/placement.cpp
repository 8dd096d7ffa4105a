// SPDX-License-Identifier: MIT
#include "tools/lower/placement.h"

#include <algorithm>

#include "isa/tile/layout.h"

namespace cox::lower {
namespace {

constexpr std::int64_t kMapAlignment = 64;

/// First and last layer during which the map's bytes must stay.
struct Life {
  std::size_t first = 0, last = 0;

  [[nodiscard]] bool overlaps(const Life &other) const { return first <= other.last && other.first <= last; }
};

std::vector<Life> lives_of(const Network &network) {
  std::vector<Life> lives(network.maps.size());
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Layer &layer = network.layers[i];
    lives[layer.output] = {i, i};
    for (const std::size_t input : layer.inputs) lives[input].last = i;
  }
  lives[network.output].last = network.layers.size();  // the store comes after the last layer
  return lives;
}

}  // namespace

std::vector<PlacedMap> place_maps(const Network &network, std::int64_t capacity) {
  const std::vector<Life> lives = lives_of(network);
  std::vector<PlacedMap> placed;
  for (std::size_t i = 0; i < network.maps.size(); ++i) {
    const FeatureMap &map = network.maps[i];
    PlacedMap place;
    place.pixel_bytes = isa::tile::padded_pixel(std::int64_t{map.shape.channels} * map.element_bytes());
    place.row_bytes = place.pixel_bytes * map.shape.width;
    place.bytes = place.row_bytes * map.shape.height;

    // The lowest gap between the maps that live at the same time.
    std::vector<const PlacedMap *> neighbours;
    for (std::size_t j = 0; j < i; ++j) {
      if (lives[i].overlaps(lives[j])) neighbours.push_back(&placed[j]);
    }
    std::sort(neighbours.begin(), neighbours.end(), [](const PlacedMap *a, const PlacedMap *b) { return a->base < b->base; });
    for (const PlacedMap *neighbour : neighbours) {
      if (neighbour->base >= place.base + place.bytes) break;
      place.base = std::max(place.base, isa::tile::align_up(neighbour->base + neighbour->bytes, kMapAlignment));
    }
    if (place.base + place.bytes > capacity) {
      throw NetworkError(network.file, i == 0 ? "" : map.name, i == 0 ? "input.shape" : "output.shape",
                         "the map of " + std::to_string(place.bytes) + " bytes does not fit the L2 buffer of " + std::to_string(capacity) +
                             " bytes beside the maps that live at the same time (maps are not spilled to DRAM)");
    }
    placed.push_back(place);
  }
  return placed;
}

}  // namespace cox::lower
