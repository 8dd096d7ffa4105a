// SPDX-License-Identifier: MIT
#include "tools/lower/plan/placement.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "coxswain/isa/tile/layout.h"
#include "tools/lower/plan/strips.h"
#include "tools/lower/weights/constants.h"

namespace cox::lower {
namespace {

constexpr std::int64_t kMapAlignment = 64;
/// A new map may take bytes of maps that live at other times. Of these maps, the placement looks only at the kRecent that were placed last.
constexpr std::size_t kRecent = 64;

bool live_together(const PlacedMap &a, const PlacedMap &b) { return a.first_step <= b.last_step && b.first_step <= a.last_step; }

}  // namespace

MapLayout layout_of(const FeatureMap &map) {
  MapLayout layout;
  layout.pixel_bytes = isa::tile::padded_pixel(std::int64_t{map.shape.channels} * map.element_bytes());
  layout.row_bytes = layout.pixel_bytes * map.shape.width;
  layout.image_bytes = layout.row_bytes * map.shape.height;
  return layout;
}

FeatureMap as_fp32(FeatureMap map) {
  map.format = isa::tile::DataFmt::FP32;
  return map;
}

Placement::Placement(const Network &network, const Plan &plan, std::int64_t capacity) {
  collect(network, plan);
  if (!plan.compact && place_all(capacity, Choice::longest_idle) == kNone) return;
  const std::size_t failed = place_all(capacity, Choice::lowest);
  if (failed != kNone) refuse(network, plan, capacity, placed_[failed]);
}

void Placement::refuse(const Network &network, const Plan &plan, std::int64_t capacity, const PlacedMap &failed) const {
  const std::string room = " the L2 buffer of " + std::to_string(capacity) + " bytes";
  if (failed.map == kStrips) {
    const Layer &layer = network.layers[steps_of(network, plan)[failed.first_step].layer];
    std::string text = layer.operation == Operation::global_average_pool ? "the fewest channels of its maps in DRAM,"
                                                                         : "one row of the output, and what it follows from in DRAM,";
    const StripLayout layout = strips_of(network, plan, layer.output - 1).value_or(StripLayout());
    for (const StripBuffer &buffer : layout.buffers) {
      text += " " + std::to_string(buffer.rows) + (buffer.rows == 1 ? " row of " : " rows of ") + network.maps[buffer.map].name + ",";
    }
    const std::string constants =
        placed_[0].map == kConstants ? " beside tables, gammas and betas of " + std::to_string(placed_[0].bytes) : "";
    throw NetworkError(network.file, layer.name, "output.shape",
                       text + " together " + std::to_string(failed.bytes) + " bytes do not fit" + room + constants);
  }
  const bool is_map = failed.map != kConstants;
  throw NetworkError(network.file, !is_map || failed.map == 0 ? "" : network.maps[failed.map].name,
                     !is_map           ? "layers"
                     : failed.map == 0 ? "input.shape"
                                       : "output.shape",
                     (is_map ? "the map of " : "the place of tables, gammas and betas, of ") + std::to_string(failed.bytes) +
                         " bytes does not fit" + room + " beside what lives at the same time and the weights" +
                         (plan.division == Division::images ? ""
                                                            : "; cores that share a map's rows or kernels do not work on maps in DRAM: "
                                                              "--divide images, or one core, does"));
}

std::int64_t least_bytes(const Network &network, const Plan &plan) {
  Placement placement;
  placement.collect(network, plan);
  placement.place_all(std::numeric_limits<std::int64_t>::max(), Placement::Choice::lowest);
  return placement.bytes();
}

void Placement::collect(const Network &network, const Plan &plan) {
  const std::vector<std::uint32_t> groups = images_of_maps(network, plan);
  for (const FeatureMap &map : network.maps) image_bytes_.push_back(layout_of(map).image_bytes);
  by_map_.resize(network.maps.size());
  const std::vector<Step> steps = steps_of(network, plan);
  if (constant_bytes(network) > 0) {
    placed_.push_back({kConstants, 0, 1, 0, constant_bytes(network), 0, steps.size()});
    in_place_of_.push_back(kNone);
  }

  const auto index_of = [&](std::size_t map, std::uint32_t image) { return by_map_[map].at(image / groups[map]); };
  const auto write = [&](std::size_t map, const Step &step, std::size_t time) {
    if (is_spilled(plan, map) || by_map_[map].size() > step.first_image / groups[map]) return;
    const std::uint32_t first = step.first_image / groups[map] * groups[map];
    const std::uint32_t images = std::min(groups[map], plan.images - first);
    by_map_[map].push_back(placed_.size());
    placed_.push_back({map, first, images, 0, images * image_bytes_[map], time, time});
    in_place_of_.push_back(kNone);
  };
  const auto read = [&](std::size_t map, const Step &step, std::size_t time) {
    if (!is_spilled(plan, map)) placed_[index_of(map, step.first_image)].last_step = time;
  };
  strips_.assign(steps.size(), kNone);
  std::vector<std::optional<StripLayout>> layouts;
  for (std::size_t layer = 0; layer < network.layers.size(); ++layer) layouts.push_back(strips_of(network, plan, layer));

  for (std::size_t time = 0; time < steps.size(); ++time) {
    const Step &step = steps[time];
    if (step.kind == Step::Kind::load) {
      write(0, step, time);
    } else if (step.kind == Step::Kind::store) {
      read(network.output, step, time);
    } else {
      if (layouts[step.layer]) {
        strips_[time] = placed_.size();
        placed_.push_back({kStrips, step.first_image, step.images, 0, layouts[step.layer]->bytes(), time, time});
        in_place_of_.push_back(kNone);
      }
      for (const std::size_t input : network.layers[step.layer].inputs) read(input, step, time);
      write(network.layers[step.layer].output, step, time);
      read(network.layers[step.layer].output, step, time);
    }
  }
  // An element-wise result takes the bytes of an input of the same shape that no later step reads.
  for (PlacedMap &sum : placed_) {
    if (sum.map == 0 || sum.map >= network.maps.size() || !network.layers[sum.map - 1].is_element_wise()) continue;
    for (const std::size_t input : network.layers[sum.map - 1].inputs) {
      if (is_spilled(plan, input) || network.maps[input].shape != network.maps[sum.map].shape) continue;
      const std::size_t index = index_of(input, sum.first_image);
      const PlacedMap &summand = placed_[index];
      if (summand.last_step == sum.first_step && summand.first_image == sum.first_image && summand.images == sum.images &&
          summand.bytes == sum.bytes) {
        in_place_of_[static_cast<std::size_t>(&sum - placed_.data())] = index;
      }
    }
  }
}

std::size_t Placement::place_all(std::int64_t capacity, Choice choice) {
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    if (in_place_of_[i] != kNone) {
      placed_[i].base = placed_[in_place_of_[i]].base;
      continue;
    }
    const std::optional<std::int64_t> base = place_one(i, capacity, choice);
    if (!base) return i;
    placed_[i].base = *base;
  }
  return kNone;
}

std::optional<std::int64_t> Placement::place_one(std::size_t index, std::int64_t capacity, Choice choice) const {
  const PlacedMap &map = placed_[index];
  std::vector<const PlacedMap *> living, recent;
  for (std::size_t i = index; i-- > 0;) {
    if (live_together(placed_[i], map)) {
      living.push_back(&placed_[i]);
    } else if (recent.size() < kRecent) {
      recent.push_back(&placed_[i]);
    }
  }
  std::vector<std::int64_t> candidates = {0};
  for (const auto *maps : {&living, &recent}) {
    for (const PlacedMap *other : *maps) {
      candidates.push_back(isa::tile::align_up(other->base + other->bytes, kMapAlignment));
      if (other->base >= map.bytes) candidates.push_back((other->base - map.bytes) / kMapAlignment * kMapAlignment);
    }
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());

  const auto overlaps = [&map](const PlacedMap &other, std::int64_t base) {
    return other.base < base + map.bytes && base < other.base + other.bytes;
  };
  std::optional<std::int64_t> best;
  std::size_t best_idle_since = std::numeric_limits<std::size_t>::max();
  for (const std::int64_t base : candidates) {
    if (base + map.bytes > capacity) break;
    if (std::any_of(living.begin(), living.end(), [&](const PlacedMap *other) { return overlaps(*other, base); })) continue;
    if (choice == Choice::lowest) return base;
    std::size_t idle_since = 0;
    for (const PlacedMap *other : recent) {
      if (overlaps(*other, base)) idle_since = std::max(idle_since, other->last_step + 1);
    }
    if (idle_since < best_idle_since) {
      best = base;
      best_idle_since = idle_since;
    }
  }
  return best;
}

std::int64_t Placement::address(std::size_t map, std::uint32_t image) const {
  for (const std::size_t index : by_map_[map]) {
    const PlacedMap &placed = placed_[index];
    if (image >= placed.first_image && image < placed.first_image + placed.images) {
      return placed.base + (image - placed.first_image) * image_bytes_[map];
    }
  }
  throw std::logic_error("no such image");
}

std::int64_t Placement::bytes() const {
  std::int64_t end = 0;
  for (const PlacedMap &map : placed_) end = std::max(end, map.base + map.bytes);
  return end;
}

}  // namespace cox::lower
