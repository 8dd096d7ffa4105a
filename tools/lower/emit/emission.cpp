// SPDX-License-Identifier: MIT
#include "tools/lower/emit/emission.h"

#include <algorithm>

namespace cox::lower {

using isa::tile::DataFmt;

const char *name_of(DataFmt format) {
  switch (format) {
    case DataFmt::FP32: return "FP32";
    case DataFmt::FP16: return "FP16";
    default: return "INT8";
  }
}

FieldValue shape_field(const char *name, const Shape &shape) { return {name, {shape.channels, shape.height, shape.width}}; }

std::uint64_t dense_bytes(const FeatureMap &map) {
  return std::uint64_t{map.shape.channels} * map.shape.height * map.shape.width * map.element_bytes();
}

Excerpt excerpt_of(const Work &work, std::size_t map, std::uint32_t image) {
  if (is_spilled(work.plan, map)) return work.strips.maps.at(map);
  return {work.network.maps[map].shape, 0, work.placement.address(map, image)};
}

FieldValue excerpt_field(const Work &work, const char *name, std::size_t map) {
  return shape_field(name, is_spilled(work.plan, map) ? work.strips.maps.at(map).shape : work.network.maps[map].shape);
}

std::int64_t row_address(const Work &work, std::size_t map, std::uint32_t image, std::int64_t row) {
  const Excerpt excerpt = excerpt_of(work, map, image);
  FeatureMap strip = work.network.maps[map];
  strip.shape = excerpt.shape;
  return excerpt.address + (row - excerpt.first_row) * layout_of(strip).row_bytes;
}

Start start_of(const Work &work, const Layer &layer, const Piece &piece) {
  Start start;
  const Excerpt source = excerpt_of(work, layer.inputs[0], piece.first_image);
  const std::int64_t row = std::int64_t{piece.first_row} * layer.stride[0] - layer.padding.top;
  start.row = row - source.first_row * layer.upsample[0];
  start.column = -std::int64_t{layer.padding.left};
  start.address = source.address;
  if (layer.upsample[0] != 1 || layer.upsample[1] != 1)
    return start;  // with upsampling, the address is that of the map's first pixel (docs/isa/tile.md, Feature maps)
  start.address =
      row_address(work, layer.inputs[0], piece.first_image, row) + start.column * layout_of(work.network.input_of(layer)).pixel_bytes;
  return start;
}

std::uint32_t pieces_of(const Plan &plan, model::Cycle cycles) {
  constexpr model::Cycle kMost = 32;
  return static_cast<std::uint32_t>(std::clamp<model::Cycle>(cycles / static_cast<model::Cycle>(plan.piece_cycles), 1, kMost));
}

double quantisation_scale(const FeatureMap &map) { return static_cast<double>(static_cast<float>(1.0 / map.scale)); }
double dequantisation_scale(const FeatureMap &map) { return static_cast<double>(static_cast<float>(map.scale)); }
double dequantisation_offset(const FeatureMap &map) { return static_cast<double>(static_cast<float>(-map.zero_point * map.scale)); }

}  // namespace cox::lower
