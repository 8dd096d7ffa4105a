// SPDX-License-Identifier: MIT
// Linear algebra: LU, CHOLESKY, QR, NORM, INVERSE, LSTSQ, SOLVE.
#include "sim/model/unity/arithmetic/matrix_norm.h"
#include "sim/model/unity/arithmetic/orthogonal_factors.h"
#include "sim/model/unity/arithmetic/reference.h"
#include "sim/model/unity/arithmetic/triangular_factors.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::MatrixOperation;
using isa::unity::NormAxis;
using isa::unity::Opcode;

template <typename Wide>
Matrix<Wide> matrix_a(const MatrixOperation &operation, Memory &memory) {
  return {memory, operation.a, operation.rows, operation.columns};
}

/// The matrix B, and which of its columns hold a NaN or an infinity: those of the solution become NaN.
template <typename Wide>
class RightSides {
 public:
  RightSides(const MatrixOperation &operation, Memory &memory)
      : matrix_(memory, operation.b, operation.rows, operation.right_sides), spoilt_(operation.right_sides) {
    for (std::uint64_t r = 0; r < matrix_.rows(); ++r) {
      for (std::uint64_t c = 0; c < matrix_.columns(); ++c) spoilt_[c] = spoilt_[c] || !std::isfinite(matrix_.at(r, c));
    }
  }
  [[nodiscard]] Matrix<Wide> &matrix() { return matrix_; }
  void spoil(Matrix<Wide> &solution) const {
    for (std::uint64_t r = 0; r < solution.rows(); ++r) {
      for (std::uint64_t c = 0; c < solution.columns(); ++c) {
        if (spoilt_[c]) solution.at(r, c) = kNotANumber<Wide>;
      }
    }
  }

 private:
  Matrix<Wide> matrix_;
  std::vector<bool> spoilt_;
};

/// The factors of A; NaN, without exchanges of rows, if an element of A is not finite.
template <typename Wide>
void lu(const MatrixOperation &operation, Memory &memory) {
  Matrix<Wide> a = matrix_a<Wide>(operation, memory);
  std::byte *pivots = write(memory, operation.second);
  if (!a.finite()) {
    a.fill(kNotANumber<Wide>);
    a.store(memory, operation.result);
    for (std::uint64_t k = 0; k < operation.second.elements; ++k) store_bits(pivots, Unit::s32, k, k + 1);
    return;
  }
  const LuFactors<Wide> lu = lu_factors(std::move(a));
  lu.both.store(memory, operation.result);
  for (std::uint64_t k = 0; k < operation.second.elements; ++k) store_bits(pivots, Unit::s32, k, lu.pivots[k] + 1);
}

/// Keeps the lower triangle.
template <typename Wide>
void clear_above(Matrix<Wide> &a) {
  for (std::uint64_t r = 0; r < a.rows(); ++r) std::fill(a.row(r) + r + 1, a.row(r) + a.columns(), Wide{0});
}

template <typename Wide>
void cholesky(const MatrixOperation &operation, Memory &memory) {
  Matrix<Wide> a = matrix_a<Wide>(operation, memory);
  if (operation.upper) a = a.transposed();
  clear_above(a);
  if (!a.finite() || !factor_positive(a) || !TriangularProduct<Wide>(a).inverse()) a.fill(kNotANumber<Wide>);
  (operation.upper ? a.transposed() : a).store(memory, operation.result);
}

template <typename Wide>
void qr(const MatrixOperation &operation, Memory &memory) {
  Matrix<Wide> a = matrix_a<Wide>(operation, memory);
  if (a.finite()) {
    const QrFactors<Wide> factors(std::move(a));
    factors.q().store(memory, operation.result);
    factors.positive_r().store(memory, operation.second);
    return;
  }
  const std::uint64_t least = std::min(operation.rows, operation.columns);
  Matrix<Wide> q(operation.rows, least), r(least, operation.columns);
  q.fill(kNotANumber<Wide>);
  r.fill(kNotANumber<Wide>);
  q.store(memory, operation.result);
  r.store(memory, operation.second);
}

template <typename Wide>
void norm(const MatrixOperation &operation, Memory &memory) {
  const Matrix<Wide> a = matrix_a<Wide>(operation, memory);
  std::vector<Wide> norms;
  switch (operation.axis) {
    case NormAxis::matrix: norms = {matrix_norm(a, operation.type)}; break;
    case NormAxis::all: norms = {flat_norm(a, operation.type)}; break;
    default: norms = vector_norms(a, operation.type, operation.axis == NormAxis::row); break;
  }
  std::byte *result = write(memory, operation.result);
  for (std::uint64_t i = 0; i < norms.size(); ++i) {
    store_bits(result, operation.result.unit, i, bits_of_wide(norms[i], operation.result.unit));
  }
}

template <typename Wide>
void inverse(const MatrixOperation &operation, Memory &memory) {
  Matrix<Wide> a = matrix_a<Wide>(operation, memory);
  std::optional<Matrix<Wide>> result;
  if (a.finite()) {
    const LuFactors<Wide> lu = lu_factors(a);
    result = TriangularProduct<Wide>(lu).inverse();
    for (std::uint64_t k = a.rows(); result && k-- > 0;) result->swap_columns(k, lu.pivots[k]);
  }
  a.fill(kNotANumber<Wide>);
  (result ? *result : a).store(memory, operation.result);
}

template <typename Wide>
void solve(const MatrixOperation &operation, Memory &memory) {
  Matrix<Wide> a = matrix_a<Wide>(operation, memory);
  RightSides<Wide> b(operation, memory);
  const bool finite = a.finite();
  if (!finite) a.fill(kNotANumber<Wide>);
  const LuFactors<Wide> lu = lu_factors(std::move(a));
  const TriangularProduct<Wide> product(lu);
  Matrix<Wide> &x = b.matrix();
  if (finite && product.inverse()) {
    for (std::uint64_t k = 0; k < x.rows(); ++k) x.swap_rows(k, lu.pivots[k]);
    product.solve(x);
    b.spoil(x);
  } else {
    x.fill(kNotANumber<Wide>);
  }
  x.store(memory, operation.result);
  if (operation.second.elements != 0) lu.both.store(memory, operation.second);
}

/// X of A X = B with the least residual: R X = Q^T B.
template <typename Wide>
Matrix<Wide> least_residual(const QrFactors<Wide> &qr, Matrix<Wide> &b, std::uint64_t unknowns) {
  qr.multiply_by_q_transposed(b);
  Matrix<Wide> x(unknowns, b.columns());
  for (std::uint64_t k = unknowns; k-- > 0;) {
    for (std::uint64_t c = 0; c < b.columns(); ++c) {
      Wide sum = b.at(k, c);
      for (std::uint64_t i = k + 1; i < unknowns; ++i) sum -= qr.r(k, i) * x.at(i, c);
      x.at(k, c) = sum / qr.r(k, k);
    }
  }
  return x;
}

/// X of A X = B with the least norm, from the factors of A^T: X = Q Y, where R^T Y = B.
template <typename Wide>
Matrix<Wide> least_norm(const QrFactors<Wide> &qr, const Matrix<Wide> &b, std::uint64_t unknowns) {
  Matrix<Wide> x(unknowns, b.columns());
  for (std::uint64_t k = 0; k < b.rows(); ++k) {
    for (std::uint64_t c = 0; c < b.columns(); ++c) {
      Wide sum = b.at(k, c);
      for (std::uint64_t i = 0; i < k; ++i) sum -= qr.r(i, k) * x.at(i, c);
      x.at(k, c) = sum / qr.r(k, k);
    }
  }
  qr.multiply_by_q(x);
  return x;
}

template <typename Wide>
void least_squares(const MatrixOperation &operation, Memory &memory) {
  Matrix<Wide> a = matrix_a<Wide>(operation, memory);
  RightSides<Wide> b(operation, memory);
  const bool finite = a.finite(), has_many = operation.rows < operation.columns;  // solutions
  const QrFactors<Wide> qr(has_many ? a.transposed() : std::move(a));
  Matrix<Wide> x(operation.columns, operation.right_sides);
  if (finite && !qr.deficient()) {
    x = has_many ? least_norm(qr, b.matrix(), operation.columns) : least_residual(qr, b.matrix(), operation.columns);
    b.spoil(x);
  } else {
    x.fill(kNotANumber<Wide>);
  }
  x.store(memory, operation.result);
}

template <typename Wide>
void execute(const MatrixOperation &operation, Memory &memory) {
  switch (operation.op) {
    case Opcode::LU: return lu<Wide>(operation, memory);
    case Opcode::CHOLESKY: return cholesky<Wide>(operation, memory);
    case Opcode::QR: return qr<Wide>(operation, memory);
    case Opcode::NORM: return norm<Wide>(operation, memory);
    case Opcode::INVERSE: return inverse<Wide>(operation, memory);
    case Opcode::LSTSQ: return least_squares<Wide>(operation, memory);
    default: return solve<Wide>(operation, memory);
  }
}

}  // namespace

Status matrix_operation(const MatrixOperation &operation, Memory &memory) {
  in_matrix_format(operation.a.unit, [&](auto wide) { execute<decltype(wide)>(operation, memory); });
  return {};
}

}  // namespace cox::model::unity::reference
