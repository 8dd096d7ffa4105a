// SPDX-License-Identifier: MIT
// The state of contexts in the tile cores: their registers, and buffers that change owners (docs/model.md, Owners).
#include <algorithm>
#include <cstring>

#include "sim/model/tile/engine.h"

namespace cox::model {

namespace r = registers;
using r::Name;

std::uint32_t TileEngine::report(Name name) const {
  switch (name) {
    case Name::geometry0:
      return r::geometry0::kTileCores.put(geometry_.tile_cores) | r::geometry0::kL2Mib.put(geometry_.l2_mib) |
             r::geometry0::kCutRegions.put(isa::tile::kRegions);
    case Name::geometry1: return r::geometry1::kWl0Units.put(geometry_.wl0_units) | r::geometry1::kL2BlockBytes.put(isa::tile::kBlockBytes);
    case Name::geometry2: return r::geometry2::kMacsPerCycle.put(geometry_.macs_per_cycle());
    default: return 0;
  }
}

bool TileEngine::read(Name name, Index index, std::uint32_t &value) const {
  const TileContext &place = places_[index[0] % kMostContexts];
  switch (name) {
    case Name::context_l2_first: value = place.l2_first; return true;
    case Name::context_l2_last: value = place.l2_last; return true;
    case Name::context_wl0: value = r::context::wl0::kFirst.put(place.wl0_first) | r::context::wl0::kLast.put(place.wl0_last); return true;
    case Name::context_cores:
      value = r::context::cores::kFirst.put(place.first_core) | r::context::cores::kLast.put(place.last_core);
      return true;
    default: return false;
  }
}

bool TileEngine::write(Name name, Index index, std::uint32_t value, Cycle /*now*/, const char *&reason) {
  if (name != Name::context_l2_first && name != Name::context_l2_last && name != Name::context_wl0 && name != Name::context_cores) {
    return false;
  }
  TileContext &place = places_[index[0]];
  if (surroundings_.contexts[index[0]].valid) {
    reason = "the context is valid";
    return true;
  }
  switch (name) {
    case Name::context_l2_first: place.l2_first = value; break;
    case Name::context_l2_last: place.l2_last = value; break;
    case Name::context_wl0:
      place.wl0_first = r::context::wl0::kFirst.get(value);
      place.wl0_last = r::context::wl0::kLast.get(value);
      break;
    default: place.first_core = r::context::cores::kFirst.get(value); place.last_core = r::context::cores::kLast.get(value);
  }
  return true;
}

void TileEngine::on_context_taken(unsigned index, Cycle now) {
  TileContext &place = places_[index];
  const Holding wanted = place.wanted(surroundings_.contexts[index].owner);
  for (unsigned i = 0; i < surroundings_.contexts.size(); ++i) {
    std::optional<Holding> &other = places_[i].holding;
    if (!other || other->owner == wanted.owner || !other->overlaps(wanted)) continue;
    surroundings_.contexts[i].dispossess();
    other.reset();
  }
  place.holding = wanted;
  place.clear_at = 0;
  const unsigned end = std::min(wanted.last_core + 1, geometry_.tile_cores);
  for (unsigned core = wanted.first_core; core < end; ++core) {
    const auto clear = [&](Scrubber::Buffer buffer, std::uint64_t first, std::uint64_t bytes) {
      const bool l2 = buffer == Scrubber::Buffer::l2;
      std::vector<std::byte> &memory = l2 ? cores_[core].l2 : cores_[core].wl0;
      std::fill_n(memory.begin() + static_cast<std::ptrdiff_t>(first), bytes, std::byte{0});
      surroundings_.faults.memory().clear({l2 ? faults::Place::Memory::l2 : faults::Place::Memory::wl0, core}, first, bytes);
    };
    const Cycle clear_at =
        cores_[core].scrubber.take(wanted.owner, wanted.blocks, wanted.units, now, geometry_.scrub_bytes_per_cycle, clear);
    place.clear_at = std::max(place.clear_at, clear_at);
  }
  all_clear_at_ = std::max(all_clear_at_, place.clear_at);
}

Cycle TileEngine::start_at(unsigned context) const {
  const Context &shared = surroundings_.contexts[context];
  return shared.valid && !shared.quarantined ? places_[context].clear_at : 0;
}

bool TileEngine::hold(SubmissionQueue &queue, bool of_peer, Cycle now) {
  queue.held_for = kNoContext;
  if (now >= all_clear_at_) return false;
  isa::tile::MachineCode code;
  if (of_peer) {
    std::memcpy(code.data(), queue.peers.front().slot.data(), kSlotBytes);
  } else if (!surroundings_.host.read(queue.slot_address(queue.head), code.data(), kSlotBytes)) {
    return false;
  }
  const unsigned context = isa::tile::context_of(code);
  if (context >= geometry_.contexts || start_at(context) <= now) return false;
  queue.held_for = context;
  return true;
}

}  // namespace cox::model
