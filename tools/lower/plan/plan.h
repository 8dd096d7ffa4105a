// SPDX-License-Identifier: MIT
// The plan of a network: the order of its steps, and the number of images of each (docs/lowering.md, The plan).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/tile/geometry.h"
#include "tools/lower/network/network.h"

namespace cox::lower {

/// Layers that run one after the other on `images` images at a time.
struct Segment {
  std::size_t first_layer = 0, end_layer = 0;
  std::uint32_t images = 1;

  bool operator==(const Segment &) const = default;
};

/// The way in which several cores share the work.
enum class Division : std::uint8_t {
  cheapest,  ///< only in a request, never in a plan
  images,    ///< each core computes all layers for its own images
  kernels,   ///< each core computes some kernels of each layer, for all images
  rows,      ///< each core computes some rows of each map, for all images
};

struct Plan {
  unsigned cores = 1;
  Division division = Division::images;
  std::uint32_t images = 1;                                                             ///< number of images that each core computes
  std::int64_t l2_bytes = static_cast<std::int64_t>(model::TileGeometry{}.l2_bytes());  ///< bytes of L2 that the task may use in each core
  std::int64_t wl0_bytes = static_cast<std::int64_t>(model::TileGeometry{}.wl0_bytes());  ///< bytes of WL0 in each core
  std::vector<Segment> segments;  ///< segments of all layers, in their order; no segment has fewer images than the one before it
  std::int64_t piece_cycles = 0;  ///< approximate cycles of a piece, if work is cut into pieces so that two lanes overlap
  /// true: the number of VP's pieces follows from the cycles of one image; false: from those of all images of the batch.
  bool whole_batches = true;
  std::int64_t tile_bytes = 0;  ///< limit of the bytes of weights that one instruction loads
  /// true: maps take the lowest free bytes, which leaves room for weights; false: maps take the bytes that have been idle longest, so that
  /// few instructions wait.
  bool compact = false;
  std::int64_t staging_bytes = 0;  ///< bytes of L2 for weights that are loaded before WL0 has room; 0: weights go from DRAM to WL0
  std::vector<bool> spilled;       ///< for each map, whether it is in DRAM; empty: no map is
  std::int64_t strip_bytes = 0;    ///< L2 for strips of a layer's maps in DRAM; exceeded if one row of each map takes more

  bool operator==(const Plan &) const = default;
};

[[nodiscard]] inline bool is_spilled(const Plan &plan, std::size_t map) { return !plan.spilled.empty() && plan.spilled[map]; }

/// Returns the number of a core's first image among the images of the task.
[[nodiscard]] constexpr std::uint32_t first_image_of(const Plan &plan, unsigned core) {
  return plan.division == Division::images ? core * plan.images : 0;
}
[[nodiscard]] constexpr std::uint32_t images_of_task(const Plan &plan) {
  return plan.division == Division::images ? plan.cores * plan.images : plan.images;
}

/// A step of one core. Steps run one after another. Images are counted from the core's first image.
struct Step {
  enum class Kind : std::uint8_t { load, layer, store };

  Kind kind = Kind::layer;
  std::size_t layer = 0;
  std::uint32_t first_image = 0, images = 1;
  std::uint32_t first_row = 0, rows = 0;  ///< rows that the step writes or stores; 0: all
};

/// Returns the steps of a plan. Before a segment runs on a group of images, the segment before it runs on the same images, in smaller
/// groups. In this way, only few images of the large maps at a network's beginning live at the same time.
[[nodiscard]] std::vector<Step> steps_of(const Network &network, const Plan &plan);

/// Returns for example `one core`, or `3 cores, divided by rows`.
[[nodiscard]] std::string describe_cores(unsigned cores, Division division);

/// Describes the plan in one line for the user.
[[nodiscard]] std::string describe(const Network &network, const Plan &plan);

/// Returns how many images of each map live at once: the largest Segment::images of the segments that write or read the map.
[[nodiscard]] std::vector<std::uint32_t> images_of_maps(const Network &network, const Plan &plan);

}  // namespace cox::lower
