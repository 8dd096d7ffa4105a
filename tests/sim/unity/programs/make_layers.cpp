// SPDX-License-Identifier: MIT
// Recurrent layers, look-ups, vision.
#include <vector>

#include "tests/sim/unity/programs/generators.h"

namespace cox::test::unity_programs {

namespace {

/// The gates of a recurrent layer.
std::uint64_t gates_of(Opcode op) {
  if (op == Opcode::LSTM || op == Opcode::LSTM_CELL) return 4;
  return op == Opcode::GRU || op == Opcode::GRU_CELL ? 3 : 1;
}

}  // namespace

void make_recurrent(Maker &m) {
  Random &random = m.random;
  const Opcode op = m.op();
  const bool cell = op == Opcode::LSTM_CELL || op == Opcode::RNN_CELL || op == Opcode::GRU_CELL;
  const Unit unit = m.choose("UNIT", random.real());
  const std::uint64_t hidden = m.choose("HIDDEN", 1, 4), inputs = m.choose("INPUT", 1, 4), batch = m.choose("BATCH", 1, 3);
  const std::uint64_t steps = m.choose("T", 1, cell ? 1 : 3), gates = gates_of(op);
  if (gates == 1) m.choose("RELU", 0, 1);
  m.source("X", unit, steps * batch * inputs);
  m.source("W_IH", unit, gates * hidden * inputs);
  m.source("W_HH", unit, gates * hidden * hidden);
  if (random.chance(70)) m.source("BIAS", unit, 2 * gates * hidden);
  if (random.chance(70)) m.updated("H", unit, batch * hidden);
  if (gates == 4 && random.chance(70)) m.updated("C", unit, batch * hidden);
  m.result("Y", unit, steps * batch * hidden);
}

/// EMBEDDING and ONE_HOT.
void make_lookup(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const std::uint64_t count = m.choose("N", 1, 8);
  if (m.op() == Opcode::ONE_HOT) {
    const std::uint64_t depth = m.choose("DEPTH", 1, 8);
    m.source("INDEX", Unit::s32, count);  // any index has a vector
    return m.result("D", unit, count * depth);
  }
  const std::uint64_t width = m.choose("WIDTH", 1, 8), rows = m.choose("ROWS", 1, 6);
  std::vector<std::int64_t> indices(count);
  for (std::int64_t &index : indices) index = static_cast<std::int64_t>(m.random.below(rows));
  m.source("TABLE", unit, rows * width);
  m.constants("INDEX", Unit::s32, indices);
  m.result("D", unit, count * width);
}

/// PIXEL_SHUFFLE and PIXEL_UNSHUFFLE.
void make_pixel_shuffle(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.unit());
  const std::uint32_t scale = m.choose("SCALE", 1, 3);
  const bool planes = m.choose("FORMAT", 0, 1) != 0;
  const Extents small = random_extents(m.random, 3);
  const Extents deep{small.h, small.w, small.c * scale * scale}, wide{small.h * scale, small.w * scale, small.c};
  const Extents &source = m.op() == Opcode::PIXEL_SHUFFLE ? deep : wide, &result = m.op() == Opcode::PIXEL_SHUFFLE ? wide : deep;
  m.set("FH", source.h);
  m.set("FW", source.w);
  m.set("FC", source.c);
  m.source_bytes("FM", map_bytes(unit, planes, source), unit);
  m.result_bytes("D", map_bytes(unit, planes, result), unit);
}

void make_grid_sample(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real());
  const bool planes = m.choose("FORMAT", 0, 1) != 0;
  const Extents map = random_extents(m.random, 5), result{m.choose("O_H", 1, 4), m.choose("O_W", 1, 4), map.c};
  m.set("FH", map.h);
  m.set("FW", map.w);
  m.set("FC", map.c);
  m.choose("NEAREST", 0, 1);
  m.choose("PADDING", 0, 2);
  m.choose("ALIGN", 0, 1);
  m.source_bytes("FM", map_bytes(unit, planes, map), unit);
  m.source("GRID", unit, std::uint64_t{result.h} * result.w * 2);
  m.result_bytes("D", map_bytes(unit, planes, result), unit);
}

void make_affine_grid(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t height = m.choose("O_H", 1, 5), width = m.choose("O_W", 1, 5);
  m.choose("ALIGN", 0, 1);
  m.source("THETA", unit, 6);
  m.result("D", unit, height * width * 2);
}

}  // namespace cox::test::unity_programs
