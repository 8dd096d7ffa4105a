// SPDX-License-Identifier: MIT
// Shared by the files that implement footprint(). Other layers include isa/tile/operation.h instead.
#pragma once

#include "isa/tile/layout.h"
#include "isa/tile/operation.h"

namespace cox::isa::tile::detail {

/// A box of a map. Rows and columns are counted from the map's origin; channels and images begin with number 0.
struct Box {
  Interval rows, columns;
  std::int64_t channels = 0;
  std::int64_t batch = 1;
};

/// Adds an access with the default values.
inline Access &append(Footprint &footprint) {
  Access &access = footprint.accesses[footprint.count++];
  access = {};
  return access;
}

/// Adds `box` of `map`; adds nothing if the box is empty.
void add_box(Footprint &footprint, const Map &map, bool write, const Box &box, const char *field);
/// Adds `bytes` bytes that begin at `start`.
void add_run(Footprint &footprint, Space space, std::uint8_t selector, bool write, std::int64_t start, std::int64_t bytes,
             const char *field);
/// Adds the entries of a table; adds nothing if there is no table.
void add_table(Footprint &footprint, const Table &table);

void add_transform(Footprint &footprint, const Transform &op);
void add_vector(Footprint &footprint, const Vector &op);

}  // namespace cox::isa::tile::detail
