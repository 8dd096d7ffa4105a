// SPDX-License-Identifier: MIT
// Moves the network's input, its output and the strips of spilled maps between DRAM and L2.
#include "tools/lower/emit/emission.h"

namespace cox::lower {
namespace {

std::vector<Piece> pieces_to_move(const Work &work, const Step &step, const FeatureMap &map) {
  const std::uint64_t bytes = dense_bytes(map) * rows_of(step, map.shape.height) / map.shape.height * step.images;
  const model::Cycle cycles = bytes * 1024 / work.emitter.geometry().dram_bytes_per_1024_cycles;
  return divide(step, map.shape.height, pieces_of(work.plan, cycles));
}

/// Returns the byte offset in the tensor window at which the piece begins.
std::int64_t dense_offset(const Work &work, std::size_t map, const Piece &piece) {
  return work.dram.address(map, work.emitter.core(), piece.first_image, piece.first_row);
}

FieldValue tile_of(const FeatureMap &map, const Piece &piece) {
  return {"Tile", {piece.images, map.shape.channels, piece.rows, map.shape.width}};
}

/// Configures moves of a map that is dense in the tensor window. `in_l2`: the shape of the part that L2 holds.
void configure_move(const Work &work, const char *name, const Origin &origin, const FeatureMap &map, const Shape &in_l2) {
  const bool load = std::string_view(name) == "lda_cfg";
  work.emitter.configure(name, origin,
                         {{"SME", 1},
                          {"RS", 0},
                          {"BAS", kTensorWindow},
                          {"DF", name_of(map.format)},
                          shape_field("STile", load ? map.shape : in_l2),
                          shape_field("DTile", load ? in_l2 : map.shape)});
}

/// A strip's first byte in DRAM, its first byte in L2, and its extent.
struct StripPlaces {
  std::int64_t dram = 0, l2 = 0;
  FieldValue tile;
};

StripPlaces places_of(const Work &work, const StripMove &move) {
  const FeatureMap &map = work.network.maps[move.map];
  const Excerpt &excerpt = work.strips.maps.at(move.map);
  const std::int64_t in_pixel = std::int64_t{move.first_channel} * map.element_bytes();
  // If L2 holds all channels of the map, the moved channels begin inside the pixel. Otherwise, L2 holds only the moved channels.
  const std::int64_t in_l2 = excerpt.shape.channels == map.shape.channels ? in_pixel : 0;
  return {work.dram.address(move.map, work.emitter.core(), move.image, move.first_row) + in_pixel,
          row_address(work, move.map, move.image, move.first_row) + in_l2,
          {"Tile", {1, move.channels, move.rows, map.shape.width}}};
}

}  // namespace

void emit_load(const Work &work, const Step &step) {
  if (is_spilled(work.plan, 0)) return;  // the strips of the input are loaded by emit_strips()
  const FeatureMap &map = work.network.maps[0];
  const Origin origin{0, {0}};
  configure_move(work, "lda_cfg", origin, map, map.shape);
  for (const Piece &piece : pieces_to_move(work, step, map)) {
    work.emitter.emit("lda_mov", origin,
                      {{"RS", 0},
                       {"DBSG", 0},
                       {"STaddr", dense_offset(work, 0, piece)},
                       {"DTaddr", row_address(work, 0, piece.first_image, piece.first_row)},
                       tile_of(map, piece)});
  }
}

void emit_store(const Work &work, const Step &step) {
  if (is_spilled(work.plan, work.network.output)) return;
  if (work.plan.division == Division::kernels && work.emitter.core() != 0)
    return;  // each core has the whole output, so only the first core stores it
  const FeatureMap &map = work.network.maps[work.network.output];
  const Origin origin{static_cast<std::int32_t>(work.network.layers.size()) - 1, {static_cast<std::int32_t>(work.network.output) - 1}};
  configure_move(work, "sta_cfg", origin, map, map.shape);
  for (const Piece &piece : pieces_to_move(work, step, map)) {
    work.emitter.emit("sta_mov", origin,
                      {{"RS", 0},
                       {"SBSG", 0},
                       {"STaddr", row_address(work, work.network.output, piece.first_image, piece.first_row)},
                       {"DTaddr", dense_offset(work, work.network.output, piece)},
                       tile_of(map, piece)});
  }
}

void load_strip(const Work &work, const Origin &origin, const StripMove &move) {
  const auto map = static_cast<std::int32_t>(move.map);
  const Origin own{origin.layer, {map == 0 ? 0 : map - 1}};
  configure_move(work, "lda_cfg", own, work.network.maps[move.map], work.strips.maps.at(move.map).shape);
  const StripPlaces places = places_of(work, move);
  work.emitter.emit("lda_mov", own, {{"RS", 0}, {"DBSG", 0}, {"STaddr", places.dram}, {"DTaddr", places.l2}, places.tile});
}

void store_strip(const Work &work, const Origin &origin, const StripMove &move) {
  const Origin own{origin.layer, {static_cast<std::int32_t>(move.map) - 1}};
  configure_move(work, "sta_cfg", own, work.network.maps[move.map], work.strips.maps.at(move.map).shape);
  const StripPlaces places = places_of(work, move);
  work.emitter.emit("sta_mov", own, {{"RS", 0}, {"SBSG", 0}, {"STaddr", places.l2}, {"DTaddr", places.dram}, places.tile});
}

}  // namespace cox::lower
