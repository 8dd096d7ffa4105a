// SPDX-License-Identifier: MIT
// concatenation: moves each map to its channels in the pixels of a wider map. This is a copy if the encoding stays. Otherwise the vector
// processor converts the elements.
#include <algorithm>

#include "tools/lower/emit/vector.h"

namespace cox::lower {
namespace {

bool same_encoding(const FeatureMap &a, const FeatureMap &b) { return a.scale == b.scale && a.zero_point == b.zero_point; }

/// Copies the map `source` to channels [first_channel, ...) of the layer's output.
void copy_map(const Work &work, const Step &step, std::size_t source, std::uint32_t first_channel, std::int32_t &tile) {
  const Layer &layer = work.network.layers[step.layer];
  const FeatureMap &map = work.network.maps[source];
  const auto cycles = static_cast<model::Cycle>(layout_of(map).image_bytes) / work.emitter.geometry().l2_bytes_per_cycle *
                      rows_of(step, map.shape.height) / map.shape.height * step.images;
  work.emitter.configure("dt_cfg", {static_cast<std::int32_t>(step.layer), {}, tile},
                         {{"DF", "INT8"}, excerpt_field(work, "STile", source), excerpt_field(work, "DTile", layer.output)});
  for (const Piece &piece : divide(step, map.shape.height, pieces_of(work.plan, cycles))) {
    work.emitter.emit("dt_cal", {static_cast<std::int32_t>(step.layer), {}, tile++},
                      {{"Order", 0},
                       {"SBSG", 0},
                       {"DBSG", 0},
                       {"STaddr", row_address(work, source, piece.first_image, piece.first_row)},
                       {"DTaddr", row_address(work, layer.output, piece.first_image, piece.first_row) + first_channel},
                       {"Tile", {piece.images, map.shape.channels, piece.rows, map.shape.width}}});
  }
}

void rescale_map(const Work &work, const Step &step, std::size_t source, std::uint32_t first_channel, std::int32_t &tile) {
  const Layer &layer = work.network.layers[step.layer];
  const FeatureMap &map = work.network.maps[source];
  VectorSettings settings(isa::tile::kLutNone);
  settings.unchanged = same_encoding(map, work.network.output_of(layer));
  const std::vector<Piece> pieces = vector_pieces(work, layer, step);
  for (const Piece &piece : pieces) {
    const Origin origin{static_cast<std::int32_t>(step.layer), {}, tile++, images_of_batch(step, pieces)};
    configure_vector(work, layer, origin, settings, {source, source}, {map.shape.channels, piece.rows, map.shape.width});
    Fields fields = vector_fields(work, layer, settings, source);
    const std::int64_t address = row_address(work, source, piece.first_image, piece.first_row);
    fields.insert(fields.end(), {{"TM", 0},
                                 {"SBSG1", 0},
                                 {"STaddr", address},
                                 {"STaddr1", address},
                                 {"DTaddr", row_address(work, layer.output, piece.first_image, piece.first_row) + first_channel}});
    work.emitter.emit("vp_self", origin, fields);
  }
}

}  // namespace

void emit_concatenation(const Work &work, const Step &step) {
  const Layer &layer = work.network.layers[step.layer];
  const FeatureMap &output = work.network.output_of(layer);
  // One class copies all maps: two classes that write into the same pixels would only wait for each other.
  const bool copies = std::all_of(layer.inputs.begin(), layer.inputs.end(),
                                  [&](std::size_t input) { return same_encoding(work.network.maps[input], output); });
  std::uint32_t first_channel = 0;
  std::int32_t tile = 0;
  for (const std::size_t input : layer.inputs) {
    (copies ? copy_map : rescale_map)(work, step, input, first_channel, tile);
    first_channel += work.network.maps[input].shape.channels;
  }
}

}  // namespace cox::lower
