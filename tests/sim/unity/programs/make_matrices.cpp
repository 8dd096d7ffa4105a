// SPDX-License-Identifier: MIT
// Linear algebra and Fourier transforms.
#include <algorithm>

#include "tests/sim/unity/programs/generators.h"

namespace cox::test::unity_programs {

namespace {

constexpr std::int64_t kMostRows = 5;

}  // namespace

/// LU and QR.
void make_factors(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t rows = m.choose("I_H", 1, kMostRows), columns = m.choose("I_W", 1, kMostRows), least = std::min(rows, columns);
  m.source("A", unit, rows * columns);
  if (m.op() == Opcode::LU) {
    m.result("D0", unit, rows * columns);
    m.result("D1", Unit::s32, least);
  } else {
    m.result("Q", unit, rows * least);
    m.result("R", unit, least * columns);
  }
}

/// CHOLESKY and INVERSE.
void make_square(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t rows = m.choose("I_H", 1, kMostRows);
  m.set("I_W", rows);
  if (m.has("UPPER")) m.choose("UPPER", 0, 1);
  m.source(m.op() == Opcode::CHOLESKY ? "A" : "S", unit, rows * rows);
  m.result("D", unit, rows * rows);
}

void make_matrix_norm(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t rows = m.choose("I_H", 1, kMostRows), columns = m.choose("I_W", 1, kMostRows);
  const std::uint32_t axis = m.choose("AXIS", 0, 3);
  m.choose("NORM_TYPE", 0, 3);
  m.source("S", unit, rows * columns);
  m.result("D", unit, axis == 1 ? columns : axis == 2 ? rows : 1);
}

void make_least_squares(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t rows = m.choose("M", 1, kMostRows), columns = m.choose("N", 1, kMostRows), sides = m.choose("K", 1, 3);
  m.source("S", unit, rows * (columns + sides));  // B lies behind A
  m.result("D", unit, columns * sides);
}

void make_solution(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t rows = m.choose("N", 1, kMostRows), sides = m.choose("K", 1, 3);
  m.source("A", unit, rows * rows);
  m.source("B", unit, rows * sides);
  m.result("X", unit, rows * sides);
  if (m.random.chance(50)) m.result("LU", unit, rows * rows);
}

/// FFT and IFFT.
void make_fourier(Maker &m) {
  const Unit unit = m.choose("UNIT", m.random.real());
  const std::uint64_t length = m.choose("N", 1, 12), batch = m.choose("BATCH", 1, 3), parts = m.choose("REAL", 0, 1) != 0 ? 1 : 2;
  m.source("S", unit, batch * length * parts);
  m.result("D", unit, batch * length * 2);
}

}  // namespace cox::test::unity_programs
