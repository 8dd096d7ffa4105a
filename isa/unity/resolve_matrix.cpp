// SPDX-License-Identifier: MIT
// Linear algebra and Fourier transforms: LU, CHOLESKY, QR, NORM, INVERSE, LSTSQ, SOLVE, FFT, IFFT.
#include <algorithm>

#include "coxswain/isa/unity/operands.h"
#include "coxswain/isa/unity/region_sink.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;

/// The fields that give matrix A its unit and shape.
template <const Layout &Of, FixedString Rows, FixedString Columns>
Unit read_shape(const Operands &o, MatrixOperation &m, Checks &checks) {
  const Unit unit = o.unit<Of, "UNIT">();
  m.rows = o.word<Of, Rows>();
  m.columns = o.word<Of, Columns>();
  checks.unit("UNIT", unit, is_float(unit));
  checks.size(Rows.view().data(), m.rows);
  checks.size(Columns.view().data(), m.columns);
  return unit;
}

Run run_of(std::uint64_t address, Unit unit, std::uint64_t rows, std::uint64_t columns) { return {address, unit, rows * columns}; }

/// LU and QR, whose tables have the same places.
Result<Operation> resolve_factors(const Operands &o) {
  MatrixOperation m{.op = o.op()};
  Checks checks;
  const Unit unit = read_shape<kQr, "I_H", "I_W">(o, m, checks);
  if (!checks) return checks.status();
  const std::uint32_t least = std::min(m.rows, m.columns);
  m.a = run_of(o.address<kQr, "A">(), unit, m.rows, m.columns);
  if (m.op == Opcode::LU) {
    m.result = run_of(o.address<kLu, "D0">(), unit, m.rows, m.columns);
    m.second = {o.address<kLu, "D1">(), Unit::s32, least};
  } else {
    m.result = run_of(o.address<kQr, "Q">(), unit, m.rows, least);
    m.second = run_of(o.address<kQr, "R">(), unit, least, m.columns);
  }
  return Operation{m};
}

/// CHOLESKY and INVERSE of a square matrix.
template <const Layout &Of, FixedString Source>
Result<Operation> resolve_square(const Operands &o) {
  MatrixOperation m{.op = o.op()};
  Checks checks;
  const Unit unit = read_shape<Of, "I_H", "I_W">(o, m, checks);
  checks.equal("I_W", m.columns, m.rows);
  if constexpr (find_field(Of, "UPPER").field != nullptr) {
    checks.at_most("UPPER", o.get<Of, "UPPER">(), 1);
    m.upper = o.get<Of, "UPPER">() != 0;
  }
  if (!checks) return checks.status();
  m.a = run_of(o.address<Of, Source>(), unit, m.rows, m.columns);
  m.result = run_of(o.address<Of, "D">(), unit, m.rows, m.columns);
  return Operation{m};
}

Result<Operation> resolve_matrix_norm(const Operands &o) {
  MatrixOperation m{.op = o.op()};
  Checks checks;
  const Unit unit = read_shape<kMatrixNorm, "I_H", "I_W">(o, m, checks);
  if (!checks) return checks.status();
  m.axis = static_cast<NormAxis>(o.get<kMatrixNorm, "AXIS">());
  m.type = static_cast<NormType>(o.get<kMatrixNorm, "NORM_TYPE">());
  const std::uint64_t norms = m.axis == NormAxis::column ? m.columns : m.axis == NormAxis::row ? m.rows : 1;
  m.a = run_of(o.address<kMatrixNorm, "S">(), unit, m.rows, m.columns);
  m.result = {o.address<kMatrixNorm, "D">(), unit, norms};
  return Operation{m};
}

Result<Operation> resolve_least_squares(const Operands &o) {
  MatrixOperation m{.op = o.op()};
  Checks checks;
  const Unit unit = read_shape<kLstsq, "M", "N">(o, m, checks);
  m.right_sides = o.word<kLstsq, "K">();
  checks.size("K", m.right_sides);
  if (!checks) return checks.status();
  const std::uint64_t source = o.address<kLstsq, "S">();
  m.a = run_of(source, unit, m.rows, m.columns);
  m.b = run_of(source + m.a.bytes(), unit, m.rows, m.right_sides);
  m.result = run_of(o.address<kLstsq, "D">(), unit, m.columns, m.right_sides);
  return Operation{m};
}

Result<Operation> resolve_solution(const Operands &o) {
  MatrixOperation m{.op = o.op()};
  Checks checks;
  const Unit unit = read_shape<kSolve, "N", "N">(o, m, checks);
  m.right_sides = o.word<kSolve, "K">();
  checks.size("K", m.right_sides);
  if (!checks) return checks.status();
  m.a = run_of(o.address<kSolve, "A">(), unit, m.rows, m.columns);
  m.b = run_of(o.address<kSolve, "B">(), unit, m.rows, m.right_sides);
  m.result = run_of(o.address<kSolve, "X">(), unit, m.columns, m.right_sides);
  if (o.get<kSolve, "LU">() != 0) m.second = run_of(o.address<kSolve, "LU">(), unit, m.rows, m.columns);
  return Operation{m};
}

Result<Operation> resolve_fourier(const Operands &o) {
  Fourier f{.op = o.op()};
  Checks checks;
  const Unit unit = o.unit<kFft, "UNIT">();
  f.length = o.word<kFft, "N">();
  f.batch = o.word<kFft, "BATCH">();
  f.real_input = o.get<kFft, "REAL">() != 0;
  checks.unit("UNIT", unit, is_float(unit));
  checks.size("N", f.length);
  checks.size("BATCH", f.batch);
  if (!checks) return checks.status();
  const std::uint64_t elements = std::uint64_t{f.batch} * f.length;
  f.source = {o.address<kFft, "S">(), unit, elements * (f.real_input ? 1 : 2)};
  f.result = {o.address<kFft, "D">(), unit, elements * 2};
  return Operation{f};
}

}  // namespace

Result<Operation> resolve_matrix(const Operands &o) {
  switch (o.op()) {
    case Opcode::LU:
    case Opcode::QR: return resolve_factors(o);
    case Opcode::CHOLESKY: return resolve_square<kCholesky, "A">(o);
    case Opcode::NORM: return resolve_matrix_norm(o);
    case Opcode::INVERSE: return resolve_square<kInverse, "S">(o);
    case Opcode::LSTSQ: return resolve_least_squares(o);
    case Opcode::SOLVE: return resolve_solution(o);
    default: return resolve_fourier(o);
  }
}

void list_regions(const MatrixOperation &m, RegionSink &sink) {
  switch (m.op) {
    case Opcode::LU:
      sink.read("A", m.a);
      sink.write("D0", m.result);
      sink.write("D1", m.second);
      break;
    case Opcode::QR:
      sink.read("A", m.a);
      sink.write("Q", m.result);
      sink.write("R", m.second);
      break;
    case Opcode::SOLVE:
      sink.read("A", m.a);
      sink.read("B", m.b);
      sink.write("X", m.result);
      sink.write("LU", m.second);
      break;
    default: {
      // LSTSQ has B behind A, under one address. The others have no B.
      Run source = m.a;
      source.elements += m.b.elements;
      sink.read(m.op == Opcode::CHOLESKY ? "A" : "S", source);
      sink.write("D", m.result);
      break;
    }
  }
}

void list_regions(const Fourier &f, RegionSink &sink) {
  sink.read("S", f.source);
  sink.write("D", f.result);
}

}  // namespace cox::isa::unity::detail
