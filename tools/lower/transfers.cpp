// SPDX-License-Identifier: MIT
// The network's input and output, between DRAM and L2.
#include "tools/lower/emission.h"

namespace cox::lower {
namespace {

std::vector<Piece> pieces_to_move(const Work &work, const Step &step, const FeatureMap &map) {
  const std::uint64_t bytes = dense_bytes(map) * rows_of(step, map.shape.height) / map.shape.height * step.images;
  const model::Cycle cycles = bytes * 1024 / work.emitter.geometry().dram_bytes_per_1024_cycles;
  return divide(step, map.shape.height, pieces_of(work.plan, cycles));
}

/// Byte of the tensor window, from the map's first image on.
std::uint64_t dense_offset(const Work &work, const FeatureMap &map, const Piece &piece) {
  const std::uint64_t image = first_image_of(work.plan, work.emitter.core()) + piece.first_image;
  return image * dense_bytes(map) + dense_bytes(map) / map.shape.height * piece.first_row;
}

FieldValue tile_of(const FeatureMap &map, const Piece &piece) {
  return {"Tile", {piece.images, map.shape.channels, piece.rows, map.shape.width}};
}

/// Whole maps, dense in the window of tensors.
void configure_move(const Work &work, const char *name, const Origin &origin, const FeatureMap &map) {
  work.emitter.configure(name, origin,
                         {{"SME", 1},
                          {"RS", 0},
                          {"BAS", kTensorWindow},
                          {"DF", name_of(map.format)},
                          shape_field("STile", map.shape),
                          shape_field("DTile", map.shape)});
}

}  // namespace

void emit_load(const Work &work, const Step &step) {
  const FeatureMap &map = work.network.maps[0];
  const Origin origin{0, {0}};
  configure_move(work, "lda_cfg", origin, map);
  for (const Piece &piece : pieces_to_move(work, step, map)) {
    work.emitter.emit("lda_mov", origin,
                      {{"RS", 0},
                       {"DBSG", 0},
                       {"STaddr", dense_offset(work, map, piece)},
                       {"DTaddr", row_address(work, 0, piece.first_image, piece.first_row)},
                       tile_of(map, piece)});
  }
}

void emit_store(const Work &work, const Step &step) {
  if (work.plan.division == Division::kernels && work.emitter.core() != 0) return;  // all of them have it
  const FeatureMap &map = work.network.maps[work.network.output];
  const Origin origin{static_cast<std::int32_t>(work.network.layers.size()) - 1, {static_cast<std::int32_t>(work.network.output) - 1}};
  configure_move(work, "sta_cfg", origin, map);
  for (const Piece &piece : pieces_to_move(work, step, map)) {
    work.emitter.emit("sta_mov", origin,
                      {{"RS", 0},
                       {"SBSG", 0},
                       {"STaddr", row_address(work, work.network.output, piece.first_image, piece.first_row)},
                       {"DTaddr", work.output_offset + dense_offset(work, map, piece)},
                       tile_of(map, piece)});
  }
}

}  // namespace cox::lower
