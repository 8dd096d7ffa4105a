// SPDX-License-Identifier: MIT
// Operations that give the elements of tensors other places: STACK, TILE, ROLL, REVERSE, WHERE.
#include "coxswain/isa/unity/operands.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

using Extents = std::array<std::uint64_t, 4>;  ///< N, H, W, C

/// Elements of the axes from `first` to before `end`.
std::uint64_t elements_of(const Extents &extents, std::size_t first, std::size_t end) {
  std::uint64_t elements = 1;
  for (std::size_t axis = first; axis < end; ++axis) elements *= extents[axis];
  return elements;
}

template <const Layout &Of>
Extents read_extents(const Operands &o, Checks &checks) {
  const Extents extents{o.get<Of, "FN">(), o.get<Of, "FH">(), o.get<Of, "FW">(), o.get<Of, "FC">()};
  checks.size("FN", extents[0]);
  checks.size("FH", extents[1]);
  checks.size("FW", extents[2]);
  checks.size("FC", extents[3]);
  return extents;
}

/// The new axis can be behind the last one.
Result<Operation> resolve_stack(const Operands &o) {
  Concatenate c;
  Checks checks;
  const Extents extents = read_extents<kStack>(o, checks);
  const std::size_t axis = o.word<kStack, "AXIS">();
  checks.at_most("AXIS", axis, extents.size());
  if (!checks) return checks.status();
  const Unit unit = o.unit<kStack, "UNIT">();
  const std::uint64_t elements = elements_of(extents, 0, extents.size());
  c.outer = elements_of(extents, 0, axis);
  c.first = c.second = elements_of(extents, axis, extents.size());
  c.source = {Run{o.address<kStack, "S0">(), unit, elements}, Run{o.address<kStack, "S1">(), unit, elements}};
  c.result = {o.address<kStack, "D">(), unit, 2 * elements};
  return Operation{c};
}

Result<Operation> resolve_reverse(const Operands &o) {
  Reverse r;
  Checks checks;
  const Extents extents = read_extents<kStack>(o, checks);
  const std::size_t axis = o.word<kStack, "AXIS">();
  checks.at_most("AXIS", axis, extents.size() - 1);
  checks.zero("S1", o.get<kStack, "S1">());
  if (!checks) return checks.status();
  const Unit unit = o.unit<kStack, "UNIT">();
  const std::uint64_t elements = elements_of(extents, 0, extents.size());
  r.outer = elements_of(extents, 0, axis);
  r.extent = extents[axis];
  r.inner = elements_of(extents, axis + 1, extents.size());
  r.source = {o.address<kStack, "S0">(), unit, elements};
  r.result = {o.address<kStack, "D">(), unit, elements};
  return Operation{r};
}

Result<Operation> resolve_tile(const Operands &o) {
  Tile t;
  Checks checks;
  const Extents extents = read_extents<kTile>(o, checks);
  t.copies = o.word<kTile, "REPEAT">();
  checks.size("REPEAT", t.copies);
  if (!checks) return checks.status();
  const Unit unit = o.unit<kTile, "UNIT">();
  const std::uint64_t elements = elements_of(extents, 0, extents.size());
  t.source = {o.address<kTile, "S">(), unit, elements};
  t.result = {o.address<kTile, "D">(), unit, t.copies * elements};
  return Operation{t};
}

/// A signed shift of 6 bits as one from 0 to extent - 1.
std::uint32_t shift_of(std::uint64_t bits, std::uint32_t extent) {
  constexpr std::int64_t kSign = 32;
  const std::int64_t shift = (signed_of(bits) ^ kSign) - kSign, rest = shift % std::int64_t{extent};
  return static_cast<std::uint32_t>(rest < 0 ? rest + std::int64_t{extent} : rest);
}

Result<Operation> resolve_roll(const Operands &o) {
  Roll r;
  Checks checks;
  r.extents = {o.word<kRoll, "FH">(), o.word<kRoll, "FW">(), o.word<kRoll, "FC">()};
  checks.size("FH", r.extents[0]);
  checks.size("FW", r.extents[1]);
  checks.size("FC", r.extents[2]);
  if (!checks) return checks.status();
  const auto joined = [](std::uint64_t high, std::uint64_t low) { return high << 4 | low; };
  r.shift = {shift_of(joined(o.get<kRoll, "SHIFT_H_HI">(), o.get<kRoll, "SHIFT_H_LO">()), r.extents[0]),
             shift_of(o.get<kRoll, "SHIFT_W">(), r.extents[1]),
             shift_of(joined(o.get<kRoll, "SHIFT_C_HI">(), o.get<kRoll, "SHIFT_C_LO">()), r.extents[2])};
  const std::uint64_t elements = std::uint64_t{r.extents[0]} * r.extents[1] * r.extents[2];
  const Unit unit = o.unit<kRoll, "UNIT">();
  r.source = {o.address<kRoll, "S">(), unit, elements};
  r.result = {o.address<kRoll, "D">(), unit, elements};
  return Operation{r};
}

Result<Operation> resolve_where(const Operands &o) {
  Checks checks;
  const std::uint64_t length = o.get<kWhere, "LEN">();
  checks.size("LEN", length);
  if (!checks) return checks.status();
  const Unit unit = o.unit<kWhere, "UNIT">();
  return Operation{Select{{o.address<kWhere, "COND">(), o.unit<kWhere, "COND_UNIT">(), length},
                          {Run{o.address<kWhere, "S0">(), unit, length}, Run{o.address<kWhere, "S1">(), unit, length}},
                          {o.address<kWhere, "D">(), unit, length}}};
}

}  // namespace

Result<Operation> resolve_rearrangement(const Operands &o) {
  switch (o.op()) {
    case Opcode::STACK: return resolve_stack(o);
    case Opcode::REVERSE: return resolve_reverse(o);
    case Opcode::TILE: return resolve_tile(o);
    case Opcode::ROLL: return resolve_roll(o);
    default: return resolve_where(o);
  }
}

}  // namespace cox::isa::unity::detail
