// SPDX-License-Identifier: MIT
// What the files behind footprint() share. Not for other layers: those include isa/tile/operation.h.
#pragma once

#include "isa/tile/layout.h"
#include "isa/tile/operation.h"

namespace cox::isa::tile::detail {

/// Rows and columns of a map, counted from its origin; channels from 0 on, images from the first.
struct Box {
  Interval rows, columns;
  std::int64_t channels = 0;
  std::int64_t batch = 1;
};

/// Adds `box` of `map`; nothing where it is empty.
void add_box(Footprint &footprint, const Map &map, bool write, const Box &box, const char *field);
/// Adds `bytes` from `start` on.
void add_run(Footprint &footprint, Space space, std::uint8_t selector, bool write, std::int64_t start, std::int64_t bytes,
             const char *field);
/// Adds the entries of a table; nothing where there is none.
void add_table(Footprint &footprint, const Table &table);

void add_transform(Footprint &footprint, const Transform &op);
void add_vector(Footprint &footprint, const Vector &op);

}  // namespace cox::isa::tile::detail
