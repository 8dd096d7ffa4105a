// SPDX-License-Identifier: MIT
#include "sim/model/tile/ecc.h"

#include <algorithm>

namespace cox::model {

using faults::Place;
using isa::tile::Access;
using isa::tile::Region;
using isa::tile::Space;

namespace {

Place place_of(const Access &access, const Touched &touched) {
  switch (access.space) {
    case Space::l2: return {Place::Memory::l2, touched.core};
    case Space::remote_l2: return {Place::Memory::l2, touched.remote_core};
    case Space::wl0: return {Place::Memory::wl0, touched.core};
    case Space::dram: break;
  }
  return {Place::Memory::bus, 0};
}

/// Calls `visit(first, bytes)` for each run of the access. `first` is a bus address, or an address in L2 or WL0. Splits a run that wraps in
/// its region.
template <typename Visit>
void for_each_run(const Access &access, const Region &region, std::uint64_t window, const Visit &visit) {
  for (std::int64_t i = 0; i < access.count[2]; ++i) {
    for (std::int64_t j = 0; j < access.count[1]; ++j) {
      for (std::int64_t k = 0; k < access.count[0]; ++k) {
        const std::int64_t first = access.start + i * access.stride[2] + j * access.stride[1] + k * access.stride[0];
        if (access.space != Space::l2) {
          visit((access.space == Space::dram ? window : 0) + static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(access.run));
          continue;
        }
        const std::int64_t size = region.bytes();
        const std::int64_t offset = ((first - region.first_byte()) % size + size) % size;
        const std::int64_t before_end = std::min(access.run, size - offset);
        visit(static_cast<std::uint64_t>(region.first_byte() + offset), static_cast<std::uint64_t>(before_end));
        if (before_end < access.run) {
          visit(static_cast<std::uint64_t>(region.first_byte()), static_cast<std::uint64_t>(access.run - before_end));
        }
      }
    }
  }
}

}  // namespace

std::optional<std::uint64_t> read_sources(const Touched &touched, faults::MemoryErrors &memory) {
  if (memory.empty()) return std::nullopt;
  std::optional<std::uint64_t> error;
  for (unsigned i = 0; i < touched.footprint.count && !error; ++i) {
    const Access &access = touched.footprint.accesses[i];
    if (access.write) continue;
    const Place place = place_of(access, touched);
    for_each_run(access, touched.regions[i], touched.window, [&](std::uint64_t first, std::uint64_t bytes) {
      const std::optional<std::uint64_t> found = memory.read(place, first, bytes);
      if (!error) error = found;
    });
  }
  return error;
}

void write_destinations(const Touched &touched, faults::MemoryErrors &memory) {
  if (memory.empty()) return;
  memory.begin_write();
  for (unsigned i = 0; i < touched.footprint.count; ++i) {
    const Access &access = touched.footprint.accesses[i];
    if (!access.write) continue;
    const Place place = place_of(access, touched);
    for_each_run(access, touched.regions[i], touched.window,
                 [&](std::uint64_t first, std::uint64_t bytes) { memory.write(place, first, bytes); });
  }
}

}  // namespace cox::model
