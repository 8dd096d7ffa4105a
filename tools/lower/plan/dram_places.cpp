// SPDX-License-Identifier: MIT
#include "tools/lower/plan/dram_places.h"

#include <algorithm>
#include <limits>

#include "coxswain/isa/tile/layout.h"
#include "tools/lower/emit/emission.h"

namespace cox::lower {
namespace {

constexpr std::int64_t kDramAlignment = 64;

/// Bytes [begin, end) of DRAM, which hold a map while the layers from `first_layer` to `last_layer` run.
struct Held {
  std::int64_t begin = 0, end = 0;
  std::size_t first_layer = 0, last_layer = 0;
};

std::size_t segment_of(const Plan &plan, std::size_t layer) {
  std::size_t i = 0;
  while (layer >= plan.segments[i].end_layer) ++i;
  return i;
}

}  // namespace

DramPlaces::DramPlaces(const Network &network, const Plan &plan)
    : network_(network), plan_(plan), offsets_(network.maps.size()), images_(images_of_maps(network, plan)) {
  const auto images = static_cast<std::int64_t>(images_of_task(plan));
  const auto dense = [&](std::size_t map) { return static_cast<std::int64_t>(dense_bytes(network.maps[map])); };
  output_ = isa::tile::align_up(images * dense(0), kDramAlignment);
  spilled_ = output_ + images * dense(network.output);
  place_spilled();
  if (core_bytes_ > 0) spilled_ = isa::tile::align_up(spilled_, kDramAlignment);
  if (bytes() > std::numeric_limits<std::uint32_t>::max()) {
    throw NetworkError(network.file, "", "input.shape",
                       "input, output and the maps between that do not fit L2 take " + std::to_string(bytes()) +
                           " bytes of DRAM, a window has 4 GiB at most");
  }
}

/// Gives each spilled map the lowest bytes that are free during its layers, so maps that are not held at the same time share bytes.
void DramPlaces::place_spilled() {
  std::vector<Held> all;
  for (std::size_t i = 0; i < network_.layers.size(); ++i) {
    const std::size_t map = network_.layers[i].output;
    if (!is_spilled(plan_, map) || map == network_.output) continue;
    Held held{0, 0, i, i};
    for (std::size_t j = i; j < network_.layers.size(); ++j) {
      const std::vector<std::size_t> &inputs = network_.layers[j].inputs;
      if (std::find(inputs.begin(), inputs.end(), map) != inputs.end()) held.last_layer = j;
    }
    // A segment is a range of layers, with a number of images that it computes at a time. If a later segment reads the map, the earlier
    // segments run several times, from the first layer on, until the map has all images that the later segment takes. The map keeps its
    // bytes in the meantime.
    if (segment_of(plan_, held.last_layer) != segment_of(plan_, i)) held.first_layer = 0;
    const std::int64_t bytes =
        isa::tile::align_up(images_[map] * static_cast<std::int64_t>(dense_bytes(network_.maps[map])), kDramAlignment);
    for (bool moved = true; moved;) {
      moved = false;
      for (const Held &other : all) {
        const bool together = other.first_layer <= held.last_layer && held.first_layer <= other.last_layer;
        if (!together || held.begin >= other.end || other.begin >= held.begin + bytes) continue;
        held.begin = other.end;
        moved = true;
      }
    }
    held.end = held.begin + bytes;
    offsets_[map] = held.begin;
    core_bytes_ = std::max(core_bytes_, held.end);
    all.push_back(held);
  }
}

std::int64_t DramPlaces::address(std::size_t map, unsigned core, std::uint32_t image, std::uint32_t row) const {
  const auto image_bytes = static_cast<std::int64_t>(dense_bytes(network_.maps[map]));
  const std::int64_t row_bytes = image_bytes / network_.maps[map].shape.height;
  const std::int64_t of_task = first_image_of(plan_, core) + image;
  if (map == 0) return of_task * image_bytes + row * row_bytes;
  if (map == network_.output) return output_ + of_task * image_bytes + row * row_bytes;
  return spilled_ + core * core_bytes_ + offsets_[map] + image % images_[map] * image_bytes + row * row_bytes;
}

}  // namespace cox::lower
