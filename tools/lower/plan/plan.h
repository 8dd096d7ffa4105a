// SPDX-License-Identifier: MIT
// How a network is carried out: what is done on how many images at a time, and in which order (docs/lowering.md, The plan).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/tile/configuration.h"
#include "tools/lower/network/network.h"

namespace cox::lower {

/// Layers that are done one after the other on `images` images at a time.
struct Segment {
  std::size_t first_layer = 0, end_layer = 0;
  std::uint32_t images = 1;

  bool operator==(const Segment &) const = default;
};

/// How several cores share the work.
enum class Division : std::uint8_t {
  cheapest,  ///< not of a plan
  images,    ///< each core does everything for its own images
  kernels,   ///< each computes some kernels of each layer, for all images
  rows,      ///< each computes some rows of each map, for all images
};

struct Plan {
  unsigned cores = 1;
  Division division = Division::images;
  std::uint32_t images = 1;                                                             ///< of a core
  std::int64_t l2_bytes = std::int64_t{isa::tile::kL2Blocks} * isa::tile::kBlockBytes;  ///< of a core, that the task may use
  std::vector<Segment> segments;   ///< of all layers in their order; images never decrease
  std::int64_t piece_cycles = 0;   ///< work beside another engine's is cut into pieces of about so many cycles
  std::int64_t tile_bytes = 0;     ///< weights that are loaded at once, at most
  bool compact = false;            ///< maps lie as close together as may be, so that weights have the rest; else apart, so that few wait
  std::int64_t staging_bytes = 0;  ///< of L2 that maps leave to weights that wait for WL0; 0: they go to WL0 at once
  std::vector<bool> spilled;       ///< maps that lie in DRAM; empty: none
  std::int64_t strip_bytes = 0;    ///< of L2 for strips of a layer's maps in DRAM, if one row of each takes no more

  bool operator==(const Plan &) const = default;
};

[[nodiscard]] inline bool is_spilled(const Plan &plan, std::size_t map) { return !plan.spilled.empty() && plan.spilled[map]; }

/// The first of a core's images, among those of the task.
[[nodiscard]] constexpr std::uint32_t first_image_of(const Plan &plan, unsigned core) {
  return plan.division == Division::images ? core * plan.images : 0;
}
[[nodiscard]] constexpr std::uint32_t images_of_task(const Plan &plan) {
  return plan.division == Division::images ? plan.cores * plan.images : plan.images;
}

/// One thing after another, of one core: images are counted from its first.
struct Step {
  enum class Kind : std::uint8_t { load, layer, store };

  Kind kind = Kind::layer;
  std::size_t layer = 0;
  std::uint32_t first_image = 0, images = 1;
  std::uint32_t first_row = 0, rows = 0;  ///< of what is written, or stored; 0: all
};

/// Each segment takes in turn the images of its group; before it, the segment before it does so, group after group. So few images of the
/// large maps at a network's beginning live at once.
[[nodiscard]] std::vector<Step> steps_of(const Network &network, const Plan &plan);

/// `one core`, or `3 cores, divided by rows`.
[[nodiscard]] std::string describe_cores(unsigned cores, Division division);

/// In one line, for people.
[[nodiscard]] std::string describe(const Network &network, const Plan &plan);

/// For each map the segment that reads it last: as many images of it live at once as that one takes.
[[nodiscard]] std::vector<std::uint32_t> images_of_maps(const Network &network, const Plan &plan);

}  // namespace cox::lower
