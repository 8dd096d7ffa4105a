// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/operand_table.h"

#include "coxswain/isa/unity/units.h"

namespace cox::isa::unity {
namespace {

struct Range {
  std::int64_t minimum, maximum;
};

/// Range of a field of less than 64 bits.
constexpr Range range_of(Holds holds, unsigned width) {
  const std::int64_t most = (std::int64_t{1} << width) - 1;
  switch (holds) {
    case Holds::signed_integer: return {-most / 2 - 1, most / 2};
    case Holds::either_sign: return {-most / 2 - 1, most};
    case Holds::unit: return {0, kUnits - 1};
    case Holds::boolean: return {0, 1};
    default: return {0, most};
  }
}

/// The first bit of the table that no field has and that is 1; -1 without one.
std::int32_t reserved_bit(const Layout &layout, bool extended, const TableBits &table, AddressSpace space) {
  unsigned next = 0;
  std::int32_t found = -1;
  const auto search = [&](unsigned end) {
    while (found < 0 && next < end) {
      const unsigned width = end - next < 64 ? end - next : 64;
      if (const std::uint64_t bits = table.read(next, width); bits != 0) found = static_cast<std::int32_t>(next) + std::countr_zero(bits);
      next += width;
    }
  };
  for_each_field(layout, extended, [&](const Placed &placed) {
    search(placed.place.bit(space));
    next = placed.place.bit(space) + placed.place.width(space);
    return found < 0;
  });
  search(table_bits(layout, space, extended));
  return found;
}

}  // namespace

Status set_field(TableBits &table, const Placed &placed, AddressSpace space, std::int64_t value) {
  const unsigned width = placed.place.width(space);
  if (width < 64) {
    const Range range = range_of(placed.field->holds, width);
    const char *name = placed.field->name;
    if (value < range.minimum) return Status(ErrorCode::field_out_of_range, name, -1, value, range.minimum);
    if (value > range.maximum) return Status(ErrorCode::field_out_of_range, name, -1, value, range.maximum);
  }
  table.write(placed.place, space, static_cast<std::uint64_t>(value));
  return {};
}

std::int64_t get_field(const TableBits &table, const Placed &placed, AddressSpace space) {
  const std::uint64_t bits = table.read(placed.place, space);
  if (placed.field->holds != Holds::signed_integer) return static_cast<std::int64_t>(bits);
  const unsigned spare = 64 - placed.place.width(space);
  return static_cast<std::int64_t>(bits << spare) >> spare;
}

bool is_extended(const Layout &layout, const TableBits &table, AddressSpace space) {
  if (layout.condition == nullptr) return false;
  const std::uint64_t value = table.read(find_field(layout, layout.condition).place, space);
  return layout.extends == kAnyButZero ? value != 0 : value == layout.extends;
}

Result<TableBits> read_table(const Layout &layout, std::uint64_t address, AddressSpace space, const OperandMemory &memory) {
  if (address % kTableAlignment != 0) return Status(ErrorCode::misaligned_address, "table", -1, signed_of(address), kTableAlignment);
  std::array<std::byte, kMostTableBytes> bytes{};
  const auto read = [&](bool extended) { return memory.read(address, std::span(bytes).first(table_bytes(layout, space, extended))); };
  const Status outside(ErrorCode::address_outside_window, "table", -1, signed_of(address));
  if (!read(false)) return outside;
  TableBits table{bytes};
  const bool extended = is_extended(layout, table, space);
  if (extended) {
    if (!read(true)) return outside;
    table = TableBits(bytes);
  }
  const std::int32_t bit = reserved_bit(layout, extended, table, space);
  if (bit >= 0) return Status(ErrorCode::reserved_bits, "table", bit, bit);
  return table;
}

}  // namespace cox::isa::unity
