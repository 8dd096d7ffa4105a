// SPDX-License-Identifier: MIT
#include "tools/lower/weights/weight_supply.h"

#include "coxswain/isa/tile/configuration.h"

namespace cox::lower {
namespace {

constexpr std::int64_t kUnit = isa::tile::kWeightUnitBytes;

/// Returns a field with the C, R, S of one kernel of the layer.
FieldValue record_field(const Work &work, const char *name, const Layer &layer) {
  return {name, {work.network.kernel_channels(layer), layer.kernel[0], layer.kernel[1]}};
}

FieldValue size_field(const Work &work, const WeightTile &tile, unsigned core) {
  const Layer &layer = work.network.layers[tile.layer];
  return {"Wsize", {tile.slices[core].kernels, work.network.kernel_channels(layer), layer.kernel[0], layer.kernel[1]}};
}

}  // namespace

WeightSupply::WeightSupply(const Work &work, const WeightImage &weights)
    : work_(work),
      weights_(weights),
      tiles_(tile_weights(work.network, weights, work.plan)),
      buffer_(0, work.plan.wl0_bytes, kUnit),
      staging_(work.placement, std::int64_t{work.l2_blocks} * isa::tile::kBlockBytes) {}

void WeightSupply::begin_step(const Origin &origin) {
  for (const Ring::Entry &evicted : staging_.begin_step()) release(evicted, origin);
}

/// Releases an evicted entry. If other cores fetch the entry, its owner waits until they have fetched it.
void WeightSupply::release(const Ring::Entry &evicted, const Origin &origin) {
  if (const auto link = links_.find(evicted.key); link != links_.end()) work_.links.release(origin, link->second);
}

std::int64_t WeightSupply::offset(const WeightTile &tile, unsigned core) const {
  return weights_.layers[tile.layer].offset + tile.slices[core].first_kernel * record_bytes(tile);
}

std::int64_t WeightSupply::fetch(const WeightTile &tile, const GridCut &cut) {
  const Ring::Key key{tile.layer, tile.number};
  const Ring::Place place = buffer_.take(key, tile.bytes);
  const std::int64_t unit = place.address / kUnit;
  if (place.present) return unit;
  const auto number = static_cast<std::int32_t>(tile.layer);
  const Origin origin{number, {number}};
  const bool direct = work_.plan.staging_bytes == 0;
  Ring::Place staged;
  if (!direct) {
    staged = staging_.take(key, tile.bytes);
    if (!staged.present) stage(tile, origin, staged);
  }
  for (unsigned core = 0; core < work_.plan.cores; ++core) {
    if (tile.slices[core].kernels == 0) continue;
    move_to_buffer(tile, core, cut, origin, direct ? offset(tile, core) : staged.address, unit);
  }
  return unit;
}

void WeightSupply::move_to_buffer(const WeightTile &tile, unsigned core, const GridCut &cut, const Origin &origin, std::int64_t source,
                                  std::int64_t unit) {
  const Layer &layer = work_.network.layers[tile.layer];
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
               {{"SS", work_.plan.staging_bytes == 0 ? 1 : 0},
                {"XYmode", {static_cast<int>(cut.x), static_cast<int>(cut.y)}},
                {"SBSG", 0},
                {"STaddr", source},
                {"DTaddr", unit},
                size_field(work_, tile, core)});
}

/// Loads a tile. If all cores need its kernels, one core loads them from DRAM and the others fetch them from that core. The cores take
/// turns at loading.
void WeightSupply::stage(const WeightTile &tile, const Origin &origin, const Ring::Place &place) {
  const unsigned cores = work_.plan.cores;
  if (cores == 1 || work_.plan.division == Division::kernels) {
    for (unsigned core = 0; core < cores; ++core) {
      if (tile.slices[core].kernels != 0) load(tile, core, origin, place.address);
    }
    return;
  }
  for (const Ring::Entry &evicted : place.evicted) release(evicted, origin);
  const unsigned owner = next_owner_;
  next_owner_ = (next_owner_ + 1) % cores;
  load(tile, owner, origin, place.address);
  const Link link = work_.links.announce(origin, owner, place.address, place.address + tile.bytes);
  links_[{tile.layer, tile.number}] = link;
  for (unsigned core = 0; core < cores; ++core) {
    if (core != owner) copy(tile, core, link, origin);
  }
}

void WeightSupply::load(const WeightTile &tile, unsigned core, const Origin &origin, std::int64_t address) {
  const Layer &layer = work_.network.layers[tile.layer];
  work_.emitter.select(core);
  work_.emitter.configure("ldw_cfg", origin,
                          {{"RS", 0},
                           {"BAS", kWeightWindow},
                           {"DF", "INT8"},
                           {"MKC", 0},
                           {"MKEN", 0},
                           record_field(work_, "SWsize", layer),
                           record_field(work_, "DWsize", layer)});
  work_.emitter.emit("ldw_mov", origin,
                     {{"RS", 0}, {"DBSG", 0}, {"STaddr", offset(tile, core)}, {"DTaddr", address}, size_field(work_, tile, core)});
}

/// Fetches the tile from the core that loaded it. The si_mov treats each record (a kernel with its parameters) as a pixel of a map, whose
/// channels are the record's elements.
void WeightSupply::copy(const WeightTile &tile, unsigned core, const Link &link, const Origin &origin) {
  constexpr std::int64_t kElementBytes = 4;  // INT32, because a record could have more INT8 elements than a pixel may have channels
  const std::int64_t elements = record_bytes(tile) / kElementBytes;
  const std::uint32_t kernels = tile.slices[core].kernels;
  work_.emitter.select(core);
  work_.emitter.configure("si_cfg", origin, {{"DF", "INT32"}, {"STile", {elements, 1, kernels}}, {"DTile", {elements, 1, kernels}}});
  work_.emitter.emit("si_mov", origin,
                     {{"CORE", link.owner},
                      {"DBSG", 0},
                      {"STaddr", link.begin},
                      {"DTaddr", link.begin},
                      {"Tile", {1, elements, 1, kernels}},
                      {"Prev_Cores", 0},
                      {"Next_Cores", 0}},
                     Links::heard(link));
}

}  // namespace cox::lower
