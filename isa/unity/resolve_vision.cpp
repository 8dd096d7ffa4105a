// SPDX-License-Identifier: MIT
// Look-ups and vision: EMBEDDING, ONE_HOT, PIXEL_SHUFFLE, PIXEL_UNSHUFFLE, GRID_SAMPLE, AFFINE_GRID.
#include "coxswain/isa/unity/operands.h"
#include "coxswain/isa/unity/region_sink.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

constexpr std::uint64_t kVisionNchw = 1;  // code of FORMAT

FeatureMap dense_map(std::uint64_t address, Unit unit, Format format, std::uint32_t height, std::uint32_t width, std::uint32_t channels) {
  FeatureMap map{.address = address, .unit = unit, .height = height, .width = width, .channels = channels};
  set_dense(map, format);
  return map;
}

/// All bytes of a dense map, spare nibbles of its lines included.
Run bytes_of(const FeatureMap &map) {
  const std::uint64_t last = map.nibble(map.height - 1, map.width - 1, map.channels - 1);
  return {map.address, map.unit, last / nibbles_of(map.unit) + 1};
}

Result<Operation> resolve_embedding(const Operands &o) {
  Lookup l{.op = o.op()};
  Checks checks;
  const Unit unit = o.unit<kEmbedding, "UNIT">();
  const std::uint64_t count = o.get<kEmbedding, "N">();
  l.width = o.word<kEmbedding, "WIDTH">();
  l.rows = o.get<kEmbedding, "ROWS">();
  checks.size("WIDTH", l.width);
  checks.size("N", count);
  checks.size("ROWS", l.rows);
  if (!checks) return checks.status();
  l.table = {o.address<kEmbedding, "TABLE">(), unit, l.rows * l.width};
  l.index = {o.address<kEmbedding, "INDEX">(), Unit::s32, count};
  l.result = {o.address<kEmbedding, "D">(), unit, count * l.width};
  return Operation{l};
}

Result<Operation> resolve_one_hot(const Operands &o) {
  Lookup l{.op = o.op()};
  Checks checks;
  const std::uint64_t count = o.get<kOneHot, "N">();
  l.width = o.word<kOneHot, "DEPTH">();
  checks.size("DEPTH", l.width);
  checks.size("N", count);
  if (!checks) return checks.status();
  l.index = {o.address<kOneHot, "INDEX">(), Unit::s32, count};
  l.result = {o.address<kOneHot, "D">(), o.unit<kOneHot, "UNIT">(), count * l.width};
  return Operation{l};
}

Result<Operation> resolve_pixel_shuffle(const Operands &o) {
  PixelShuffle p{.op = o.op()};
  Checks checks;
  const Unit unit = o.unit<kPixelShuffle, "UNIT">();
  const std::uint32_t h = o.word<kPixelShuffle, "FH">(), w = o.word<kPixelShuffle, "FW">(), c = o.word<kPixelShuffle, "FC">();
  p.scale = o.word<kPixelShuffle, "SCALE">();
  const std::uint32_t block = p.scale * p.scale;
  checks.size("SCALE", p.scale);
  checks.size("FW", w);
  checks.size("FH", h);
  checks.at_most("FORMAT", o.get<kPixelShuffle, "FORMAT">(), kVisionNchw);
  checks.size("FC", c);
  const bool shuffles = p.op == Opcode::PIXEL_SHUFFLE;
  if (checks && shuffles) checks.fits("FC", c % block == 0, c, block);
  if (checks && !shuffles) {
    checks.fits("FW", w % p.scale == 0, w, p.scale);
    checks.fits("FH", h % p.scale == 0, h, p.scale);
  }
  if (!checks) return checks.status();
  const auto format = static_cast<Format>(o.get<kPixelShuffle, "FORMAT">());
  const std::uint64_t to = o.address<kPixelShuffle, "D">();
  p.source = dense_map(o.address<kPixelShuffle, "FM">(), unit, format, h, w, c);
  p.result = shuffles ? dense_map(to, unit, format, h * p.scale, w * p.scale, c / block)
                      : dense_map(to, unit, format, h / p.scale, w / p.scale, c * block);
  return Operation{p};
}

Result<Operation> resolve_grid_sample(const Operands &o) {
  GridSample g;
  Checks checks;
  const Unit unit = o.unit<kGridSample, "UNIT">();
  const std::uint32_t c = o.word<kGridSample, "FC">(), h = o.word<kGridSample, "FH">(), w = o.word<kGridSample, "FW">();
  const std::uint32_t to_h = o.word<kGridSample, "O_H">(), to_w = o.word<kGridSample, "O_W">();
  checks.unit("UNIT", unit, is_float(unit));
  checks.at_most("FORMAT", o.get<kGridSample, "FORMAT">(), kVisionNchw);
  checks.size("FC", c);
  checks.size("FW", w);
  checks.size("FH", h);
  checks.size("O_W", to_w);
  checks.size("O_H", to_h);
  checks.at_most("PADDING", o.get<kGridSample, "PADDING">(), static_cast<std::uint64_t>(GridSample::Padding::reflection));
  if (!checks) return checks.status();
  const auto format = static_cast<Format>(o.get<kGridSample, "FORMAT">());
  g.source = dense_map(o.address<kGridSample, "FM">(), unit, format, h, w, c);
  g.result = dense_map(o.address<kGridSample, "D">(), unit, format, to_h, to_w, c);
  g.grid = {o.address<kGridSample, "GRID">(), unit, std::uint64_t{to_h} * to_w * 2};
  g.padding = static_cast<GridSample::Padding>(o.get<kGridSample, "PADDING">());
  g.nearest = o.get<kGridSample, "NEAREST">() != 0;
  g.align_corners = o.get<kGridSample, "ALIGN">() != 0;
  return Operation{g};
}

Result<Operation> resolve_affine_grid(const Operands &o) {
  AffineGrid a;
  Checks checks;
  const Unit unit = o.unit<kAffineGrid, "UNIT">();
  a.height = o.word<kAffineGrid, "O_H">();
  a.width = o.word<kAffineGrid, "O_W">();
  checks.unit("UNIT", unit, is_float(unit));
  checks.size("O_W", a.width);
  checks.size("O_H", a.height);
  if (!checks) return checks.status();
  a.align_corners = o.get<kAffineGrid, "ALIGN">() != 0;
  a.matrix = {o.address<kAffineGrid, "THETA">(), unit, 6};
  a.result = {o.address<kAffineGrid, "D">(), unit, std::uint64_t{a.height} * a.width * 2};
  return Operation{a};
}

}  // namespace

Result<Operation> resolve_vision(const Operands &o) {
  switch (o.op()) {
    case Opcode::EMBEDDING: return resolve_embedding(o);
    case Opcode::ONE_HOT: return resolve_one_hot(o);
    case Opcode::PIXEL_SHUFFLE:
    case Opcode::PIXEL_UNSHUFFLE: return resolve_pixel_shuffle(o);
    case Opcode::GRID_SAMPLE: return resolve_grid_sample(o);
    default: return resolve_affine_grid(o);
  }
}

void list_regions(const Lookup &operation, RegionSink &sink) {
  sink.read("TABLE", operation.table);
  sink.read("INDEX", operation.index);
  sink.write("D", operation.result);
}
void list_regions(const PixelShuffle &operation, RegionSink &sink) {
  sink.read("FM", bytes_of(operation.source));
  sink.write("D", bytes_of(operation.result));
}
void list_regions(const GridSample &operation, RegionSink &sink) {
  sink.read("FM", bytes_of(operation.source));
  sink.read("GRID", operation.grid);
  sink.write("D", bytes_of(operation.result));
}
void list_regions(const AffineGrid &operation, RegionSink &sink) {
  sink.read("THETA", operation.matrix);
  sink.write("D", operation.result);
}

}  // namespace cox::isa::unity::detail
