// SPDX-License-Identifier: MIT
// Operations that move elements: DATA_MOVE, copies, and those that change shapes or pick elements by indices; reductions.
#include "coxswain/isa/unity/operands.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

/// A dense tensor [H][W][C] seen from one of its axes: [outer][extent][inner].
struct Axis {
  std::uint64_t outer = 1, extent = 1, inner = 1;

  [[nodiscard]] constexpr std::uint64_t elements() const { return outer * extent * inner; }
};
enum : std::uint64_t { kAxisN, kAxisH, kAxisW, kAxisC };  // codes of AXIS

Axis axis_of(std::uint64_t axis, std::uint64_t h, std::uint64_t w, std::uint64_t c) {
  switch (axis) {
    case kAxisH: return {1, h, w * c};
    case kAxisW: return {h, w, c};
    case kAxisC: return {h * w, c, 1};
    default: return {1, 1, h * w * c};
  }
}

/// Surfaces of DATA_MOVE.
struct Sizes {
  const char *size_name, *number_name, *width_name, *line_name, *surface_name;
  std::uint64_t size, number, width, line, surface;
};
void read_surfaces(const Sizes &sizes, Surfaces &area, Checks &checks) {
  checks.size(sizes.size_name, sizes.size);
  checks.size(sizes.number_name, sizes.number);
  checks.size(sizes.width_name, sizes.width);
  checks.stride(sizes.line_name, sizes.line, area.unit);
  checks.stride(sizes.surface_name, sizes.surface, area.unit);
  if (!checks) return;
  checks.fits(sizes.width_name, sizes.size % sizes.width == 0, sizes.width, sizes.size);
  area.surfaces = static_cast<std::uint32_t>(sizes.number);
  area.lines = static_cast<std::uint32_t>(sizes.size / sizes.width);
  area.width = static_cast<std::uint32_t>(sizes.width);
  const std::uint64_t dense = (sizes.width * nibbles_of(area.unit) + 1) / 2 * 2;
  area.line = sizes.line != 0 ? 2 * sizes.line : dense;
  area.surface = sizes.surface != 0 ? 2 * sizes.surface : area.lines * area.line;
}

/// Lines of a destination must not overlap: they lie apart in each surface, and surfaces lie apart or interleave in lines.
void check_destination(const Surfaces &area, Checks &checks) {
  if (!checks) return;
  const std::uint64_t width = (std::uint64_t{area.width} * nibbles_of(area.unit) + 1) / 2 * 2;
  if (area.lines > 1) checks.fits("D_LINE_LO", area.line >= width, area.line / 2, width / 2);
  if (area.surfaces == 1) return;
  const std::uint64_t surface = (area.lines - 1) * area.line + width, interleaved = (area.surfaces - 1) * area.surface + width;
  const bool apart = area.surface >= surface || (area.surface >= width && area.line >= interleaved);
  checks.fits("D_SURF", apart, area.surface / 2, surface / 2);
}

void check_move_shapes(const DataMove &m, Checks &checks) {
  if (!checks) return;
  const Surfaces &s = m.source, &d = m.destination;
  switch (m.mode) {
    case MoveMode::copy: checks.equal("D_SIZE", d.elements(), s.elements()); break;
    case MoveMode::fill: break;
    case MoveMode::repeat:
      checks.in_range("S_NUM", s.surfaces, 1, 1);
      checks.in_range("D_NUM", d.surfaces, 1, 1);
      checks.fits("D_WIDTH", d.width % s.width == 0, d.width, s.width);
      checks.fits("D_SIZE", d.lines % s.lines == 0, d.lines, s.lines);
      break;
    case MoveMode::transpose:
      checks.equal("D_NUM", d.surfaces, s.surfaces);
      checks.equal("D_WIDTH", d.width, s.lines);
      checks.equal("D_SIZE", d.lines, s.width);
      break;
  }
}

Result<Operation> resolve_data_move(const Operands &o) {
  constexpr const Layout &kMove = kDataMove;
  DataMove m;
  Checks checks;
  m.mode = static_cast<MoveMode>(o.get<kMove, "TRANSFER">());
  const Unit unit = m.source.unit = m.destination.unit = o.unit<kMove, "UNIT">();
  const auto joined = [](std::uint64_t high, std::uint64_t low) { return high << 16 | low; };
  const Sizes source{"S_SIZE",
                     "S_NUM",
                     "S_WIDTH",
                     "S_LINE_LO",
                     "S_SURF",
                     o.get<kMove, "S_SIZE">(),
                     o.get<kMove, "S_NUM">(),
                     o.get<kMove, "S_WIDTH">(),
                     joined(o.get<kMove, "S_LINE_HI">(), o.get<kMove, "S_LINE_LO">()),
                     o.get<kMove, "S_SURF">()};
  const Sizes destination{"D_SIZE",
                          "D_NUM",
                          "D_WIDTH",
                          "D_LINE_LO",
                          "D_SURF",
                          o.get<kMove, "D_SIZE">(),
                          o.get<kMove, "D_NUM">(),
                          o.get<kMove, "D_WIDTH">(),
                          joined(o.get<kMove, "D_LINE_HI">(), o.get<kMove, "D_LINE_LO">()),
                          o.get<kMove, "D_SURF">()};
  if (m.mode == MoveMode::fill) {
    m.value = o.get<kMove, "S">();
    checks.at_most("S", m.value, UINT64_MAX >> (64 - bits_of(unit)));
    checks.zero("S_SIZE", source.size);
    checks.zero("S_NUM", source.number);
    checks.zero("S_WIDTH", source.width);
    checks.zero("S_LINE_LO", source.line);
    checks.zero("S_SURF", source.surface);
  } else {
    m.source.address = o.address<kMove, "S">();
    read_surfaces(source, m.source, checks);
  }
  m.destination.address = o.address<kMove, "D">();
  read_surfaces(destination, m.destination, checks);
  check_destination(m.destination, checks);
  check_move_shapes(m, checks);
  if (!checks) return checks.status();
  return Operation{m};
}

Result<Operation> resolve_concatenate(const Operands &o) {
  Concatenate c;
  Checks checks;
  const std::uint64_t axis = o.get<kConcat, "AXIS">();
  const std::uint64_t h0 = o.get<kConcat, "FH0">(), w0 = o.get<kConcat, "FW0">(), c0 = o.get<kConcat, "FC0">();
  const std::uint64_t h1 = o.get<kConcat, "FH1">(), w1 = o.get<kConcat, "FW1">(), c1 = o.get<kConcat, "FC1">();
  checks.at_most("AXIS", axis, kAxisC);
  checks.size("FH0", h0);
  checks.size("FW0", w0);
  checks.size("FC0", c0);
  checks.size("FH1", h1);
  checks.size("FW1", w1);
  checks.size("FC1", c1);
  if (axis != kAxisH) checks.equal("FH1", h1, h0);
  if (axis != kAxisW) checks.equal("FW1", w1, w0);
  if (axis != kAxisC) checks.equal("FC1", c1, c0);
  if (!checks) return checks.status();
  const Axis first = axis_of(axis, h0, w0, c0), second = axis_of(axis, h1, w1, c1);
  const Unit unit = o.unit<kConcat, "UNIT">();
  c.outer = first.outer;
  c.first = first.extent * first.inner;
  c.second = second.extent * second.inner;
  c.source = {Run{o.address<kConcat, "S0">(), unit, first.elements()}, Run{o.address<kConcat, "S1">(), unit, second.elements()}};
  c.result = {o.address<kConcat, "D">(), unit, first.elements() + second.elements()};
  return Operation{c};
}

/// SPLIT and SLICE: their tables differ only in the name of the index.
Result<Operation> resolve_split(const Operands &o) {
  Split s{.op = o.op()};
  Checks checks;
  const bool slice = s.op == Opcode::SLICE;
  const std::uint64_t axis = o.get<kSplit, "AXIS">(), h = o.get<kSplit, "FH">(), w = o.get<kSplit, "FW">(), c = o.get<kSplit, "FC">();
  checks.at_most("AXIS", axis, kAxisC);
  checks.size("FH", h);
  checks.size("FW", w);
  checks.size("FC", c);
  const Axis view = axis_of(axis, h, w, c);
  s.index = o.get<kSplit, "SPLIT_INDEX">();
  if (slice) {
    checks.at_most("SLICE_INDEX", s.index, view.extent - 1);
  } else {
    checks.fits("AXIS", view.extent > 1, view.extent, 2);
    checks.in_range("SPLIT_INDEX", s.index, 1, view.extent - 1);
  }
  if (!checks) return checks.status();
  const Unit unit = o.unit<kSplit, "UNIT">();
  s.outer = view.outer;
  s.extent = view.extent;
  s.inner = view.inner;
  s.source = {o.address<kSplit, "S">(), unit, view.elements()};
  const std::uint64_t first = view.outer * (slice ? 1 : s.index) * view.inner;
  const std::uint64_t rest = slice ? o.optional_address<kSplit, "D1">() : o.address<kSplit, "D1">();
  s.result[0] = {o.address<kSplit, "D0">(), unit, first};
  s.result[1] = {rest, unit, slice && rest == 0 ? 0 : view.elements() - first};
  return Operation{s};
}

Result<Operation> resolve_transpose(const Operands &o) {
  Transpose t;
  Checks checks;
  t.extents = {o.word<kTranspose, "FN">(), o.word<kTranspose, "FH">(), o.word<kTranspose, "FW">(), o.word<kTranspose, "FC">()};
  checks.size("FN", t.extents[0]);
  checks.size("FH", t.extents[1]);
  checks.size("FW", t.extents[2]);
  checks.size("FC", t.extents[3]);
  const std::array<std::uint64_t, 4> order{o.get<kTranspose, "P0">(), o.get<kTranspose, "P1">(), o.get<kTranspose, "P2">(),
                                           o.get<kTranspose, "P3">()};
  constexpr const char *kNames[] = {"P0", "P1", "P2", "P3"};
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned j = 0; j < i; ++j) checks.fits(kNames[i], order[i] != order[j], order[i], j);
    t.order[i] = static_cast<std::uint8_t>(order[i]);
  }
  if (!checks) return checks.status();
  const std::uint64_t elements = std::uint64_t{t.extents[0]} * t.extents[1] * t.extents[2] * t.extents[3];
  const Unit unit = o.unit<kTranspose, "UNIT">();
  t.source = {o.address<kTranspose, "S">(), unit, elements};
  t.result = {o.address<kTranspose, "D">(), unit, elements};
  return Operation{t};
}

Result<Operation> resolve_pad(const Operands &o) {
  Pad p;
  Checks checks;
  const Unit unit = o.unit<kPad, "UNIT">();
  p.height = o.word<kPad, "FH">();
  p.width = o.word<kPad, "FW">();
  p.channels = o.word<kPad, "FC">();
  checks.size("FH", p.height);
  checks.size("FW", p.width);
  checks.size("FC", p.channels);
  p.top = o.word<kPad, "PH0">();
  p.bottom = o.word<kPad, "PH1">();
  p.left = o.word<kPad, "PW0">();
  p.right = o.word<kPad, "PW1">();
  const std::uint64_t value = o.get<kPad, "VALUE">();
  if (is_float(unit)) checks.zero("VALUE", value);
  p.value = static_cast<std::int32_t>(integer_of(is_signed(unit) ? Unit::s8 : Unit::u8, value));
  if (is_integer(unit) && bits_of(unit) < 8 && (p.value < minimum_of(unit) || p.value > static_cast<std::int64_t>(maximum_of(unit)))) {
    const std::int64_t limit = p.value < 0 ? minimum_of(unit) : static_cast<std::int64_t>(maximum_of(unit));
    checks.add(Status(ErrorCode::field_out_of_range, "VALUE", -1, p.value, limit));
  }
  if (!checks) return checks.status();
  const auto elements = [&](std::uint64_t h, std::uint64_t w) { return h * w * p.channels; };
  p.source = {o.address<kPad, "S">(), unit, elements(p.height, p.width)};
  p.result = {o.address<kPad, "D">(), unit, elements(p.height + p.top + p.bottom, p.width + p.left + p.right)};
  return Operation{p};
}

}  // namespace

Result<Operation> resolve_move(const Operands &o) {
  if (o.op() == Opcode::DATA_MOVE) return resolve_data_move(o);
  Copy c{.op = o.op()};
  Checks checks;
  const std::uint64_t length = o.get<kCopy, "LEN">();
  checks.in_range("LEN", length, 1, kMostElements);
  checks.zero("ZERO", o.get<kCopy, "ZERO">());
  if (!checks) return checks.status();
  const Unit unit = o.unit<kCopy, "UNIT">();
  c.source = {o.address<kCopy, "S">(), unit, length};
  c.result = {o.address<kCopy, "D">(), unit, length};
  return Operation{c};
}

Result<Operation> resolve_shape(const Operands &o) {
  switch (o.op()) {
    case Opcode::CONCAT: return resolve_concatenate(o);
    case Opcode::TRANSPOSE: return resolve_transpose(o);
    case Opcode::PAD: return resolve_pad(o);
    default: return resolve_split(o);
  }
}

Result<Operation> resolve_reduction(const Operands &o) {
  constexpr const Layout &kTable = kReduction;
  enum : std::uint64_t { kAll, kH, kW, kC, kHw, kHc, kWc };  // codes of AXIS
  Reduction r{.op = o.op()};
  Checks checks;
  r.height = o.word<kTable, "FH">();
  r.width = o.word<kTable, "FW">();
  r.channels = o.word<kTable, "FC">();
  checks.size("FH", r.height);
  checks.size("FW", r.width);
  checks.size("FC", r.channels);
  const std::uint64_t axis = o.get<kTable, "AXIS">();
  checks.at_most("AXIS", axis, kWc);
  if (!checks) return checks.status();
  r.over_height = axis == kAll || axis == kH || axis == kHw || axis == kHc;
  r.over_width = axis == kAll || axis == kW || axis == kHw || axis == kWc;
  r.over_channels = axis == kAll || axis == kC || axis == kHc || axis == kWc;
  r.saturate = o.get<kTable, "SAT">() != 0;
  r.rounding = static_cast<Rounding>(o.get<kTable, "ROUND">());
  const Unit unit = o.unit<kTable, "UNIT">();
  const auto kept = [](bool over, std::uint64_t size) { return over ? 1 : size; };
  r.source = {o.address<kTable, "S">(), unit, std::uint64_t{r.height} * r.width * r.channels};
  r.result = {o.address<kTable, "D">(), unit,
              kept(r.over_height, r.height) * kept(r.over_width, r.width) * kept(r.over_channels, r.channels)};
  return Operation{r};
}

namespace {

/// The coordinates of GATHER_ND and SCATTER_ND, whose sizes and mode have the same places.
struct Tuples {
  std::uint8_t coordinates = 3;
  std::array<std::uint32_t, 3> extents{};
  std::uint64_t extent = 1, inner = 1;
};
Tuples read_tuples(const Operands &o, Checks &checks) {
  Tuples tuples;
  tuples.extents = {o.word<kGatherNd, "FH">(), o.word<kGatherNd, "FW">(), o.word<kGatherNd, "FC">()};
  checks.size("FH", tuples.extents[0]);
  checks.size("FW", tuples.extents[1]);
  checks.size("FC", tuples.extents[2]);
  const std::uint64_t coordinates = o.get<kGatherNd, "COORDS">();
  if (coordinates != 0) tuples.coordinates = static_cast<std::uint8_t>(coordinates);
  for (unsigned i = 0; i < 3; ++i) (i < tuples.coordinates ? tuples.extent : tuples.inner) *= tuples.extents[i];
  return tuples;
}

Status misaligned_index(std::uint64_t address) {
  return Status(ErrorCode::misaligned_address, "INDEX", -1, signed_of(address), alignment_of(Unit::s32));
}

Result<Operation> resolve_gather(const Operands &o) {
  Gather g{.op = o.op()};
  Checks checks;
  const std::uint64_t axis = o.get<kGather, "AXIS">(), h = o.get<kGather, "FH">(), w = o.get<kGather, "FW">(), c = o.get<kGather, "FC">();
  const std::uint64_t indices = o.get<kGather, "INDEX_LEN">();
  checks.at_most("AXIS", axis, kAxisC);
  checks.size("FH", h);
  checks.size("FW", w);
  checks.size("FC", c);
  checks.size("INDEX_LEN", indices);
  const bool bytes = o.get<kGather, "U8">() != 0;
  if (const std::uint64_t address = o.get<kGather, "INDEX">(); !bytes && address % alignment_of(Unit::s32) != 0) {
    checks.add(misaligned_index(address));
  }
  if (!checks) return checks.status();
  const Axis view = axis_of(axis, h, w, c);
  const Unit unit = o.unit<kGather, "UNIT">();
  g.outer = view.outer;
  g.extent = view.extent;
  g.inner = view.inner;
  g.source = {o.address<kGather, "S">(), unit, view.elements()};
  g.index = {o.address<kGather, "INDEX">(), bytes ? Unit::u8 : Unit::s32, indices};
  g.result = {o.address<kGather, "D">(), unit, view.outer * indices * view.inner};
  return Operation{g};
}

}  // namespace

Result<Operation> resolve_index(const Operands &o) {
  if (o.op() == Opcode::GATHER) return resolve_gather(o);
  Checks checks;
  if (o.op() == Opcode::SCATTER) {
    Scatter s{.op = o.op()};
    s.extent = o.get<kScatter, "LEN">();
    const std::uint64_t indices = o.get<kScatter, "INDEX_LEN">();
    checks.size("LEN", s.extent);
    checks.size("INDEX_LEN", indices);
    if (!checks) return checks.status();
    const Unit unit = o.unit<kScatter, "UNIT">();
    s.tensor = {o.address<kScatter, "S">(), unit, s.extent};
    s.index = {o.address<kScatter, "INDEX">(), Unit::s32, indices};
    s.update = {o.address<kScatter, "UPDATE">(), unit, indices};
    return Operation{s};
  }
  static_assert(find_field(kGatherNd, "COORDS").place.bits == find_field(kScatterNd, "COORDS").place.bits);
  const Tuples tuples = read_tuples(o, checks);
  const std::uint64_t indices = o.get<kGatherNd, "INDEX_LEN">();
  checks.size("INDEX_LEN", indices);
  if (!checks) return checks.status();
  const Unit unit = o.unit<kGatherNd, "UNIT">();
  const Run tensor{o.address<kGatherNd, "S">(), unit, tuples.extent * tuples.inner};
  const Run index{o.address<kGatherNd, "INDEX">(), Unit::s32, indices * tuples.coordinates};
  const std::uint64_t elements = indices * tuples.inner;
  if (o.op() == Opcode::GATHER_ND) {
    return Operation{Gather{o.op(),
                            tensor,
                            {o.address<kGatherNd, "D">(), unit, elements},
                            index,
                            1,
                            tuples.extent,
                            tuples.inner,
                            tuples.coordinates,
                            tuples.extents}};
  }
  return Operation{Scatter{o.op(),
                           tensor,
                           {o.address<kScatterNd, "UPDATE">(), unit, elements},
                           index,
                           tuples.extent,
                           tuples.inner,
                           tuples.coordinates,
                           tuples.extents}};
}

}  // namespace cox::isa::unity::detail
