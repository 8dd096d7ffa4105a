// SPDX-License-Identifier: MIT
// Emits concatenation: the output map has the channels of all input maps. If all these maps have the same encoding, DT copies the inputs.
// Otherwise the vector processor converts the elements.
#include <algorithm>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/enumerations.h"
#include "coxswain/isa/tile/layout.h"
#include "tools/lower/emit/vector.h"
#include "tools/lower/plan/joins.h"

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

/// Converts rows of `source` to the encoding of the layer's output, and writes them to the output's channels from `first_channel` on.
void rescale(const Work &work, const Layer &layer, const Origin &origin, std::size_t source, const Piece &piece,
             std::uint32_t first_channel) {
  const FeatureMap &map = work.network.maps[source];
  VectorSettings settings(isa::tile::kLutNone);
  settings.unchanged = same_encoding(map, work.network.output_of(layer));
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

void rescale_map(const Work &work, const Step &step, std::size_t source, std::uint32_t first_channel, std::int32_t &tile) {
  const Layer &layer = work.network.layers[step.layer];
  const std::vector<Piece> pieces = vector_pieces(work, layer, step);
  for (const Piece &piece : pieces) {
    const Origin origin{static_cast<std::int32_t>(step.layer), {}, tile++, images_of_batch(step, pieces)};
    rescale(work, layer, origin, source, piece, first_channel);
  }
}

/// Rows of a map in L2: the address of the first row, and the shape of the part of the map that is in L2.
struct Place {
  Shape shape;
  std::int64_t address = 0;
};

Place place_of(const Work &work, std::size_t map, const Piece &piece) {
  return {excerpt_of(work, map, piece.first_image).shape, row_address(work, map, piece.first_image, piece.first_row)};
}

/// Copies `tile` of the source and exchanges columns and channels.
void transpose(const Work &work, const Origin &origin, const Place &from, const Place &to, const Shape &tile) {
  work.emitter.configure("dt_cfg", origin, {{"DF", "INT8"}, shape_field("STile", from.shape), shape_field("DTile", to.shape)});
  work.emitter.emit("dt_cal", origin,
                    {{"Order", static_cast<std::int64_t>(isa::tile::Order::swap_wc)},
                     {"SBSG", 0},
                     {"DBSG", 0},
                     {"STaddr", from.address},
                     {"DTaddr", to.address},
                     {"Tile", {1, tile.channels, tile.height, tile.width}}});
}

/// Writes the inputs of `join` to their channels of the output. An instruction can write only to addresses that are multiples of
/// kL2AddressUnit bytes, but most of these inputs begin at another address. DT therefore transposes each input into an intermediate map,
/// which has one column for each channel of the join. Each column begins at a multiple of kL2AddressUnit bytes. Then DT transposes the
/// intermediate map back, which writes all channels of the join to the output.
void join_maps(const Work &work, const Step &step, const Join &join, bool copies, std::int32_t &tile) {
  constexpr auto kUnit = static_cast<std::uint32_t>(isa::tile::kL2AddressUnit);
  const Layer &layer = work.network.layers[step.layer];
  FeatureMap between = transposed(work.network.output_of(layer), join);
  between.shape.height = rows_of(step, between.shape.height);
  const MapLayout layout = layout_of(between);
  for (const Piece &piece : vector_pieces(work, layer, step)) {
    const Origin origin{static_cast<std::int32_t>(step.layer), {}, tile++};
    const Place output = place_of(work, layer.output, piece);
    const Place rows{between.shape, work.strips.temporary + (piece.first_row - step.first_row) * layout.row_bytes};
    std::uint32_t column = 0;
    for (std::size_t i = join.first_input; i < join.end_input; ++i) {
      const std::size_t input = layer.inputs[i];
      const Shape &shape = work.network.maps[input].shape;
      Place from = place_of(work, input, piece);
      if (!copies) {
        // The rescaled input waits in the output, in channels that the join overwrites later.
        const std::uint32_t channel = join.first_channel + column / kUnit * kUnit;
        rescale(work, layer, origin, input, piece, channel);
        from = {output.shape, output.address + channel};
      }
      transpose(work, origin, from, {rows.shape, rows.address + column * layout.pixel_bytes}, {shape.channels, piece.rows, shape.width});
      column += shape.channels;
    }
    transpose(work, origin, rows, {output.shape, output.address + join.first_channel}, {between.shape.channels, piece.rows, join.channels});
  }
}

}  // namespace

void emit_concatenation(const Work &work, const Step &step) {
  const Layer &layer = work.network.layers[step.layer];
  const FeatureMap &output = work.network.output_of(layer);
  // DT copies all inputs, or VP rescales all of them. If DT copied one input and VP rescaled another, they would wait for each other,
  // because both write to the same pixels.
  const bool copies = std::all_of(layer.inputs.begin(), layer.inputs.end(),
                                  [&](std::size_t input) { return same_encoding(work.network.maps[input], output); });
  std::int32_t tile = 0;
  for (const Join &join : joins_of(work.network, layer)) {
    if (join.single()) {
      (copies ? copy_map : rescale_map)(work, step, layer.inputs[join.first_input], join.first_channel, tile);
    } else {
      join_maps(work, step, join, copies, tile);
    }
  }
}

}  // namespace cox::lower
