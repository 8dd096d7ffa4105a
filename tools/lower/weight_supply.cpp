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
    if (!staged.present) stage(tile, origin, staged);
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

void WeightSupply::stage(const WeightTile &tile, const Origin &origin, const Ring::Place &place) {
  if (work_.plan.cores > 1) {
    for (const Ring::Entry &evicted : place.evicted) release(evicted, origin);
  }
  const Share share{static_cast<unsigned>(staged_ % work_.plan.cores), staged_};
  ++staged_;
  shares_[{tile.layer, tile.first_kernel}] = share;
  work_.emitter.select(share.owner);
  load(tile, origin, place.address);
  if (work_.plan.cores == 1) return;
  announce(share, origin, place.address, tile.bytes);
  for (unsigned core = 0; core < work_.plan.cores; ++core) {
    if (core == share.owner) continue;
    work_.emitter.select(core);
    copy(tile, share, origin, place.address);
  }
}

void WeightSupply::load(const WeightTile &tile, const Origin &origin, std::int64_t address) {
  const Layer &layer = work_.network.layers[tile.layer];
  work_.emitter.configure("ldw_cfg", origin,
                          {{"RS", 0},
                           {"BAS", kWeightWindow},
                           {"DF", "INT8"},
                           {"MKC", 0},
                           {"MKEN", 0},
                           record_field(work_, "SWsize", layer),
                           record_field(work_, "DWsize", layer)});
  work_.emitter.emit("ldw_mov", origin,
                     {{"RS", 0}, {"DBSG", 0}, {"STaddr", tile.records_offset}, {"DTaddr", address}, size_field(work_, layer, tile)});
}

/// The others may fetch what has been loaded.
void WeightSupply::announce(const Share &share, const Origin &origin, std::int64_t address, std::int64_t bytes) {
  const auto owner = static_cast<std::uint8_t>(share.owner);
  work_.emitter.emit(
      "so_sync", origin, {{"Prev_Cores", 0}, {"Next_Cores", 0}},
      {{Resource::l2, false, address, address + bytes, owner}, {Resource::link, true, share.number, share.number + 1, owner}});
}

/// The others have fetched what is going to be overwritten.
void WeightSupply::release(const Ring::Entry &evicted, const Origin &origin) {
  const Share share = shares_.at(evicted.key);
  const auto owner = static_cast<std::uint8_t>(share.owner);
  work_.emitter.select(share.owner);
  work_.emitter.emit(
      "so_sync", origin, {{"Prev_Cores", 0}, {"Next_Cores", 0}},
      {{Resource::l2, false, evicted.begin, evicted.end, owner}, {Resource::link, true, share.number, share.number + 1, owner}});
}

/// A record is a pixel of a map.
void WeightSupply::copy(const WeightTile &tile, const Share &share, const Origin &origin, std::int64_t address) {
  constexpr std::int64_t kElementBytes = 4;  // INT32: a record has more bytes than a map has channels
  const std::int64_t elements = tile.bytes / tile.kernels / kElementBytes;
  work_.emitter.configure("si_cfg", origin,
                          {{"DF", "INT32"}, {"STile", {elements, 1, tile.kernels}}, {"DTile", {elements, 1, tile.kernels}}});
  work_.emitter.emit("si_mov", origin,
                     {{"CORE", share.owner},
                      {"DBSG", 0},
                      {"STaddr", address},
                      {"DTaddr", address},
                      {"Tile", {1, elements, 1, tile.kernels}},
                      {"Prev_Cores", 0},
                      {"Next_Cores", 0}},
                     {{Resource::link, false, share.number, share.number + 1, static_cast<std::uint8_t>(share.owner)}});
}

}  // namespace cox::lower
