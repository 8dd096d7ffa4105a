// SPDX-License-Identifier: MIT
// Instructions that move elements.
#include <algorithm>
#include <array>
#include <vector>

#include "tests/sim/unity/programs/generators.h"

namespace cox::test::unity_programs {

using isa::unity::alignment_of;
using isa::unity::bits_of;
using isa::unity::is_float;
using isa::unity::is_signed;
using isa::unity::nibbles_of;

namespace {

void set_extents(Maker &m, const Extents &map) {
  m.set("FH", map.h);
  m.set("FW", map.w);
  m.set("FC", map.c);
}

/// [outer][extent][inner] of a map from an axis, 0 to 3: N, H, W, C.
std::array<std::uint64_t, 3> view_of(const Extents &map, std::uint32_t axis) {
  const std::uint64_t h = map.h, w = map.w, c = map.c;
  switch (axis) {
    case 1: return {1, h, w * c};
    case 2: return {h, w, c};
    case 3: return {h * w, c, 1};
    default: return {1, 1, h * w * c};
  }
}

/// One side of DATA_MOVE.
struct Surfaces {
  std::uint64_t number = 1, lines = 1, width = 1;
};
/// Sets the fields that begin with `side`, and returns the bytes from the first to the last element.
std::uint64_t set_surfaces(Maker &m, char side, const Surfaces &area, Unit unit) {
  const std::string prefix{side};
  const std::uint64_t align = alignment_of(unit), line_bytes = (area.width * nibbles_of(unit) + 1) / 2;
  std::uint64_t line = line_bytes, line_field = 0;
  if (m.random.chance(30)) line = line_field = (line_bytes + align - 1) / align * align + align * m.random.below(4);
  const std::uint64_t whole = (area.lines - 1) * line + line_bytes;
  std::uint64_t surface = area.lines * line, surface_field = 0;
  if (m.random.chance(30)) surface = surface_field = (whole + align - 1) / align * align + align * m.random.below(4);
  m.set(prefix + "_SIZE", area.lines * area.width);
  m.set(prefix + "_NUM", area.number);
  m.set(prefix + "_WIDTH", area.width);
  m.set(prefix + "_LINE_LO", line_field);
  m.set(prefix + "_SURF", surface_field);
  return (area.number - 1) * surface + whole;
}

}  // namespace

Extents random_extents(Random &random, std::uint32_t most) { return {random.size(most), random.size(most), random.size(most)}; }

void make_copy(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  const Unit unit = m.choose("UNIT", m.random.unit());
  m.set("LEN", length);
  m.source("S", unit, length);
  m.result("D", unit, length, true);
}

void make_data_move(Maker &m) {
  Random &random = m.random;
  const Unit unit = m.choose("UNIT", random.unit());
  const std::uint32_t mode = m.choose("TRANSFER", 0, 3);
  Surfaces s{random.size(3), random.size(4), random.size(5)}, d = s;
  switch (mode) {
    case 0:
      switch (random.below(3)) {
        case 0: d = {s.lines, s.number, s.width}; break;
        case 1: d = {1, s.number * s.width, s.lines}; break;
        default: break;
      }
      break;
    case 1: {
      const unsigned bits = std::min(bits_of(unit), m.address_bits());
      m.set("S", random.bits() & (UINT64_MAX >> (64 - bits)));
      break;
    }
    case 2:
      s.number = 1;
      d = {1, s.lines * random.size(3), s.width * random.size(3)};
      break;
    default: d = {s.number, s.width, s.lines}; break;
  }
  if (mode != 1) m.source_bytes("S", set_surfaces(m, 'S', s, unit), unit);
  m.result_bytes("D", set_surfaces(m, 'D', d, unit), unit);
}

void make_concat(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const std::uint32_t axis = m.choose("AXIS", 0, 3);
  const Extents first = random_extents(m.random, 4);
  Extents second = first;
  if (axis == 1) second.h = m.random.size(4);
  if (axis == 2) second.w = m.random.size(4);
  if (axis == 3) second.c = m.random.size(4);
  m.set("FH0", first.h);
  m.set("FW0", first.w);
  m.set("FC0", first.c);
  m.set("FH1", second.h);
  m.set("FW1", second.w);
  m.set("FC1", second.c);
  m.source("S0", unit, first.elements());
  m.source("S1", unit, second.elements());
  m.result("D", unit, first.elements() + second.elements());
}

/// SPLIT and SLICE.
void make_split(Maker &m) {
  const bool slice = m.op() == Opcode::SLICE;
  const Unit unit = m.choose("UNIT", m.random.unit());
  Extents map = random_extents(m.random, 4);
  const std::uint32_t axis = m.choose("AXIS", slice ? 0 : 1, 3);
  if (!slice) (axis == 1 ? map.h : axis == 2 ? map.w : map.c) += 1;
  set_extents(m, map);
  const auto [outer, extent, inner] = view_of(map, axis);
  const std::uint32_t index = m.choose(slice ? "SLICE_INDEX" : "SPLIT_INDEX", slice ? 0 : 1, static_cast<std::int64_t>(extent) - 1);
  const std::uint64_t first = outer * (slice ? 1 : index) * inner;
  m.source("S", unit, map.elements());
  m.result("D0", unit, first);
  if (!slice || (extent > 1 && m.random.chance(70))) m.result("D1", unit, map.elements() - first);
}

void make_transpose(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const std::uint32_t number = m.choose("FN", 1, 3);
  const Extents map = random_extents(m.random, 4);
  set_extents(m, map);
  std::array<std::uint64_t, 4> order{0, 1, 2, 3};
  for (std::size_t i = 3; i > 0; --i) std::swap(order[i], order[m.random.below(i + 1)]);
  const char *const names[] = {"P0", "P1", "P2", "P3"};
  for (unsigned i = 0; i < 4; ++i) m.set(names[i], order[i]);
  m.source("S", unit, number * map.elements());
  m.result("D", unit, number * map.elements());
}

void make_pad(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const Extents map = random_extents(m.random, 4);
  set_extents(m, map);
  Extents padded = map;
  padded.h += m.choose("PH0", 0, 2) + m.choose("PH1", 0, 2);
  padded.w += m.choose("PW0", 0, 2) + m.choose("PW1", 0, 2);
  if (!is_float(unit)) {
    const std::int64_t most = bits_of(unit) == 4 ? 7 : 127;
    m.choose("VALUE", is_signed(unit) ? -most - 1 : 0, most);
  }
  m.source("S", unit, map.elements());
  m.result("D", unit, padded.elements());
}

namespace {

std::vector<std::int64_t> random_indices(Random &random, std::size_t count, std::uint64_t extent) {
  std::vector<std::int64_t> indices(count);
  for (std::int64_t &index : indices) index = static_cast<std::int64_t>(random.below(extent));
  return indices;
}

/// The tuples of GATHER_ND and SCATTER_ND. Returns the elements that go with one of them.
std::uint64_t set_tuples(Maker &m, const Extents &map, std::uint32_t count) {
  const std::uint32_t code = m.choose("COORDS", 0, 3), coordinates = code == 0 ? 3 : code;
  const std::uint64_t extents[] = {map.h, map.w, map.c};
  std::vector<std::int64_t> tuples;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t j = 0; j < coordinates; ++j) tuples.push_back(static_cast<std::int64_t>(m.random.below(extents[j])));
  }
  m.constants("INDEX", Unit::s32, tuples);
  return coordinates == 1 ? std::uint64_t{map.w} * map.c : coordinates == 2 ? map.c : 1;
}

}  // namespace

/// GATHER and GATHER_ND.
void make_gather(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const Extents map = random_extents(m.random, 5);
  const std::uint32_t count = m.choose("INDEX_LEN", 1, 6);
  set_extents(m, map);
  m.source("S", unit, map.elements());
  if (m.op() == Opcode::GATHER_ND) {
    const std::uint64_t inner = set_tuples(m, map, count);
    return m.result("D", unit, count * inner);
  }
  const auto [outer, extent, inner] = view_of(map, m.choose("AXIS", 0, 3));
  const bool bytes = m.choose("U8", 0, 1) != 0;
  m.constants("INDEX", bytes ? Unit::u8 : Unit::s32, random_indices(m.random, count, extent));
  m.result("D", unit, outer * count * inner);
}

/// SCATTER and SCATTER_ND.
void make_scatter(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const std::uint32_t count = m.choose("INDEX_LEN", 1, 6);
  if (m.op() == Opcode::SCATTER) {
    const std::uint64_t length = random_length(m.random);
    m.set("LEN", length);
    m.constants("INDEX", Unit::s32, random_indices(m.random, count, length));
    m.source("UPDATE", unit, count);
    return m.updated("S", unit, length);
  }
  const Extents map = random_extents(m.random, 5);
  set_extents(m, map);
  const std::uint64_t inner = set_tuples(m, map, count);
  m.source("UPDATE", unit, count * inner);
  m.updated("S", unit, map.elements());
}

/// STACK and REVERSE.
void make_stack(Maker &m) {
  const bool stack = m.op() == Opcode::STACK;
  const Unit unit = m.choose("UNIT", m.random.unit());
  const Extents map = random_extents(m.random, 4);
  set_extents(m, map);
  m.choose("AXIS", 0, stack ? 4 : 3);
  const std::uint64_t elements = m.choose("FN", 1, 3) * map.elements();
  m.source("S0", unit, elements);
  if (stack) m.source("S1", unit, elements);
  m.result("D", unit, (stack ? 2 : 1) * elements);
}

void make_tile(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const Extents map = random_extents(m.random, 3);
  set_extents(m, map);
  const std::uint64_t elements = m.choose("FN", 1, 2) * map.elements();
  const std::uint32_t copies = m.choose("REPEAT", 1, 4);
  m.source("S", unit, elements);
  m.result("D", unit, copies * elements);
}

void make_roll(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const Extents map = random_extents(m.random, 5);
  set_extents(m, map);
  m.choose("SHIFT_W", -32, 31);
  m.choose("SHIFT_H_LO", 0, 15);
  m.choose("SHIFT_H_HI", 0, 3);
  m.choose("SHIFT_C_LO", 0, 15);
  m.choose("SHIFT_C_HI", 0, 3);
  m.source("S", unit, map.elements());
  m.result("D", unit, map.elements());
}

void make_where(Maker &m) {
  const std::uint64_t length = random_length(m.random);
  const Unit unit = m.choose("UNIT", m.random.unit()), condition = m.choose("COND_UNIT", m.random.unit());
  m.set("LEN", length);
  m.source("COND", condition, length);
  m.source("S0", unit, length);
  m.source("S1", unit, length);
  m.result("D", unit, length, true);
}

}  // namespace cox::test::unity_programs
