// SPDX-License-Identifier: MIT
// Layouts of operand tables. A layout lists items from bit 0 up; a width of an item depends on the address space: A is 16, 32 or 64 bits,
// M = max(32, A). Positions of fields in all three address spaces are derived from the list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "coxswain/isa/field.h"
#include "coxswain/isa/unity/instruction.h"

namespace cox::isa::unity {

/// Width of an item.
enum class Size : std::uint8_t {
  address,  ///< A bits
  wide,     ///< M bits
  word,     ///< 32 bits
  two_words
};
constexpr unsigned bits_of(Size size, AddressSpace space) {
  switch (size) {
    case Size::address: return address_bits(space);
    case Size::wide: return address_bits(space) < 32 ? 32 : address_bits(space);
    case Size::word: return 32;
    case Size::two_words: break;
  }
  return 64;
}

/// What a field of an operand table holds.
enum class Holds : std::uint8_t {
  integer,  ///< an unsigned number
  signed_integer,
  either_sign,  ///< an unsigned or signed number; the unit of another field decides
  boolean,
  unit,              ///< isa/unity/units.h
  float32,           ///< bits of an FP32 number
  address,           ///< of operands
  optional_address,  ///< of operands; 0: absent
  program,           ///< address of a group of instructions, a multiple of 32; 0: no program
  parameter          ///< a value, zero-extended, or an address, as a mode says
};

struct TableField {
  const char *name;
  Holds holds;
  std::uint8_t bit;    ///< lowest bit in its item
  std::uint8_t width;  ///< bits; 0: the whole item
  /// Addresses and parameters: unit of the elements, as the name of the field that holds it, or as a unit's own name; nullptr: bytes.
  const char *unit;
  Meaning meaning;
};

/// An item is one field, or several share it. Bits of an item that no field has are 0.
struct Item {
  Size size = Size::word;
  std::span<const TableField> shared;
  TableField only{"", Holds::integer, 0, 0, nullptr, ""};

  [[nodiscard]] constexpr std::span<const TableField> fields() const {
    return shared.empty() ? std::span<const TableField>(&only, 1) : shared;
  }
};
constexpr Item whole(Size size, const TableField &field) { return {size, {}, field}; }
constexpr Item group(Size size, std::span<const TableField> fields) { return {size, fields, {"", Holds::integer, 0, 0, nullptr, ""}}; }

struct Layout {
  std::span<const Item> items;
  std::span<const Item> extension;  ///< follows the items if the field `condition` holds the value `extends`
  const char *condition = nullptr;
  std::uint8_t extends = 0;  ///< kAnyButZero: every value but 0
};
inline constexpr std::uint8_t kAnyButZero = 255;

/// Place of a field, for every address space: bit `addresses * A + wides * M + bits`.
struct Place {
  std::uint8_t addresses = 0, wides = 0;
  std::uint16_t bits = 0;
  Size size = Size::word;
  std::uint8_t field_width = 0;  ///< 0: the whole item

  [[nodiscard]] constexpr unsigned bit(AddressSpace space) const {
    return addresses * address_bits(space) + wides * bits_of(Size::wide, space) + bits;
  }
  [[nodiscard]] constexpr unsigned width(AddressSpace space) const { return field_width != 0 ? field_width : bits_of(size, space); }
};

/// A field of a layout and its place.
struct Placed {
  const TableField *field = nullptr;  ///< nullptr: not found
  Place place;
  bool in_extension = false;
};

/// Calls `visit(Placed)` for each field, from bit 0 up. `visit` returns false to stop.
template <typename Visit>
constexpr void for_each_field(const Layout &layout, bool with_extension, Visit visit) {
  Place place;
  for (const bool in_extension : {false, true}) {
    if (in_extension && !with_extension) return;
    for (const Item &item : in_extension ? layout.extension : layout.items) {
      for (const TableField &field : item.fields()) {
        Place own = place;
        own.bits = static_cast<std::uint16_t>(own.bits + field.bit);
        own.size = item.size;
        own.field_width = field.width;
        if (!visit(Placed{&field, own, in_extension})) return;
      }
      switch (item.size) {
        case Size::address: ++place.addresses; break;
        case Size::wide: ++place.wides; break;
        case Size::word: place.bits = static_cast<std::uint16_t>(place.bits + 32); break;
        case Size::two_words: place.bits = static_cast<std::uint16_t>(place.bits + 64); break;
      }
    }
  }
}

[[nodiscard]] constexpr Placed find_field(const Layout &layout, std::string_view name) {
  Placed found;
  for_each_field(layout, true, [&](const Placed &placed) {
    if (name != placed.field->name) return true;
    found = placed;
    return false;
  });
  return found;
}

/// Bits of a table, a multiple of 16.
[[nodiscard]] constexpr unsigned table_bits(const Layout &layout, AddressSpace space, bool extended) {
  unsigned bits = 0;
  for (const Item &item : layout.items) bits += bits_of(item.size, space);
  for (const Item &item : layout.extension) bits += extended ? bits_of(item.size, space) : 0;
  return bits;
}
[[nodiscard]] constexpr unsigned table_bytes(const Layout &layout, AddressSpace space, bool extended) {
  return table_bits(layout, space, extended) / 8;
}

inline constexpr unsigned kMostTableBytes = 128;

}  // namespace cox::isa::unity
