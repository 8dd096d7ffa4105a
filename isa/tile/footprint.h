// SPDX-License-Identifier: MIT
// Shared by the files that implement footprint(). Other layers include isa/tile/operation.h instead.
#pragma once

#include "coxswain/isa/tile/layout.h"
#include "coxswain/isa/tile/operation.h"
#include "coxswain/isa/tile/table.h"

namespace cox::isa::tile::detail {

/// A box of a map. Rows and columns are counted from the map's origin; channels and images begin with number 0.
struct Box {
  Interval rows, columns;
  std::int64_t channels = 0;
  std::int64_t batch = 1;
};

/// A field with the address of an access: its name and Reach::word.
struct AddressField {
  const char *name;
  std::uint8_t word;
};

template <auto Op, FixedString Name>
consteval AddressField address_field() {
  static_assert(shift_of<Op, Name>() == 0);
  return {field<Op, Name>().name, word_of<Op, Name>()};
}

/// Adds an access. Sets no other members than these.
inline Access &append(Footprint &footprint, Space space, std::uint8_t selector, bool write, AddressField field) {
  Access &access = footprint.accesses[footprint.count++];
  access.space = space;
  access.write = write;
  access.selector = selector;
  access.word = field.word;
  access.field = field.name;
  return access;
}

/// Adds `box` of `map`; adds nothing if the box is empty.
void add_box(Footprint &footprint, const Map &map, bool write, const Box &box, AddressField field);
/// Adds `bytes` bytes that begin at `start`.
void add_run(Footprint &footprint, Space space, std::uint8_t selector, bool write, std::int64_t start, std::int64_t bytes,
             AddressField field);
/// Adds the entries of a table; adds nothing if there is no table.
void add_table(Footprint &footprint, const Table &table);

void add_transform(Footprint &footprint, const Transform &op);
void add_vector(Footprint &footprint, const Vector &op);

}  // namespace cox::isa::tile::detail
