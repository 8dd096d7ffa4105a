// SPDX-License-Identifier: MIT
#include "tools/lower/plan/plan.h"

#include <algorithm>

namespace cox::lower {
namespace {

class StepWriter {
 public:
  StepWriter(const Network &network, const Plan &plan) : network_(network), plan_(plan) {}

  std::vector<Step> run() {
    write(plan_.segments.size() - 1, 0, plan_.images);
    return std::move(steps_);
  }

 private:
  /// Writes the steps of all segments up to `segment` for images [first, end).
  void write(std::size_t segment, std::uint32_t first, std::uint32_t end) {
    const Segment &own = plan_.segments[segment];
    for (std::uint32_t image = first; image < end; image += own.images) {
      const std::uint32_t images = std::min(own.images, end - image);
      if (segment > 0) {
        write(segment - 1, image, image + images);
      } else {
        steps_.push_back({Step::Kind::load, 0, image, images});
      }
      for (std::size_t layer = own.first_layer; layer < own.end_layer; ++layer) steps_.push_back({Step::Kind::layer, layer, image, images});
      if (own.end_layer == network_.layers.size()) steps_.push_back({Step::Kind::store, own.end_layer - 1, image, images});
    }
  }

  const Network &network_;
  const Plan &plan_;
  std::vector<Step> steps_;
};

std::string name_of(Division division) {
  switch (division) {
    case Division::kernels: return "kernels";
    case Division::rows: return "rows";
    default: return "images";
  }
}

}  // namespace

std::vector<Step> steps_of(const Network &network, const Plan &plan) { return StepWriter(network, plan).run(); }

std::string describe_cores(unsigned cores, Division division) {
  return cores == 1 ? "one core" : std::to_string(cores) + " cores, divided by " + name_of(division);
}

std::string describe(const Network &network, const Plan &plan) {
  std::string text = plan.cores == 1 ? "" : describe_cores(plan.cores, plan.division) + ": ";
  const std::size_t prefix = text.size();
  for (const Segment &segment : plan.segments) {
    if (text.size() != prefix) text += ", ";
    text += std::to_string(segment.images) + (segment.images == 1 ? " image" : " images") + " at a time from " +
            network.layers[segment.first_layer].name;
  }
  text += "; pieces of " + std::to_string(plan.piece_cycles) + " cycles, weights by " + std::to_string(plan.tile_bytes) + " bytes";
  if (plan.compact) text += ", maps close together";
  if (const auto spilled = std::count(plan.spilled.begin(), plan.spilled.end(), true); spilled > 0) {
    text += ", " + std::to_string(spilled) + " of " + std::to_string(network.maps.size()) + " maps in DRAM, strips of at most " +
            std::to_string(plan.strip_bytes) + " bytes";
  }
  return text + (plan.staging_bytes == 0 ? ", straight to WL0" : ", through " + std::to_string(plan.staging_bytes) + " bytes of L2");
}

std::vector<std::uint32_t> images_of_maps(const Network &network, const Plan &plan) {
  std::vector<std::uint32_t> images(network.maps.size(), 1);
  for (const Segment &segment : plan.segments) {
    for (std::size_t i = segment.first_layer; i < segment.end_layer; ++i) {
      const Layer &layer = network.layers[i];
      images[layer.output] = std::max(images[layer.output], segment.images);
      for (const std::size_t input : layer.inputs) images[input] = std::max(images[input], segment.images);
    }
  }
  images[network.output] = std::max(images[network.output], plan.segments.back().images);
  return images;
}

}  // namespace cox::lower
