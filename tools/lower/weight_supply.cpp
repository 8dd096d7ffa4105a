// SPDX-License-Identifier: MIT
#include "tools/lower/weight_supply.h"

#include "isa/tile/configuration.h"

namespace cox::lower {
namespace {

constexpr std::int64_t kUnit = isa::tile::kWeightUnitBytes;

/// C, R, S of a layer's records.
FieldValue record_field(const Work &work, const char *name, const Layer &layer) {
  return {name, {work.network.input_of(layer).shape.channels, layer.kernel[0], layer.kernel[1]}};
}

FieldValue size_field(const Work &work, const Layer &layer, const WeightTile &tile) {
  return {"Wsize", {tile.kernels, work.network.input_of(layer).shape.channels, layer.kernel[0], layer.kernel[1]}};
}

}  // namespace

WeightSupply::WeightSupply(const Work &work, std::vector<std::vector<WeightTile>> tiles, std::int64_t first_byte)
    : work_(work),
      tiles_(std::move(tiles)),
      buffer_(0, std::int64_t{isa::tile::kWeightUnits} * kUnit, kUnit),
      staging_(first_byte, work.plan.staging_bytes, kUnit) {}

std::int64_t WeightSupply::fetch(const WeightTile &tile, const GridCut &cut) {
  const Ring::Place place = buffer_.take({tile.layer, tile.first_kernel}, tile.bytes);
  const std::int64_t unit = place.address / kUnit;
  if (place.present) return unit;
  const Layer &layer = work_.network.layers[tile.layer];
  const auto number = static_cast<std::int32_t>(tile.layer);
  const Origin origin{number, {number}};
  const bool direct = work_.plan.staging_bytes == 0;
  std::int64_t source = tile.records_offset;
  if (!direct) {
    const Ring::Place staged = staging_.take({tile.layer, tile.first_kernel}, tile.bytes);
    if (!staged.present) stage(tile, origin, staged.address);
    source = staged.address;
  }
  for (unsigned core = 0; core < work_.plan.cores; ++core) {
    Emitter &emitter = work_.emitter;
    emitter.select(core);
    emitter.configure("lw_cfg", origin,
                      {{"BAS", kWeightWindow},
                       {"DF", "INT8"},
                       {"MKC", 0},
                       {"MKEN", 0},
                       record_field(work_, "SWsize", layer),
                       record_field(work_, "DWsize", layer)});
    emitter.emit("lw_mov", origin,
                 {{"SS", direct ? 1 : 0},
                  {"XYmode", {static_cast<int>(cut.x), static_cast<int>(cut.y)}},
                  {"SBSG", 0},
                  {"STaddr", source},
                  {"DTaddr", unit},
                  size_field(work_, layer, tile)});
  }
  return unit;
}

void WeightSupply::stage(const WeightTile &tile, const Origin &origin, std::int64_t address) {
  const Layer &layer = work_.network.layers[tile.layer];
  for (unsigned core = 0; core < work_.plan.cores; ++core) {
    Emitter &emitter = work_.emitter;
    emitter.select(core);
    emitter.configure("ldw_cfg", origin,
                      {{"RS", 0},
                       {"BAS", kWeightWindow},
                       {"DF", "INT8"},
                       {"MKC", 0},
                       {"MKEN", 0},
                       record_field(work_, "SWsize", layer),
                       record_field(work_, "DWsize", layer)});
    emitter.emit("ldw_mov", origin,
                 {{"RS", 0}, {"DBSG", 0}, {"STaddr", tile.records_offset}, {"DTaddr", address}, size_field(work_, layer, tile)});
  }
}

}  // namespace cox::lower
