// SPDX-License-Identifier: MIT
// LU and Cholesky factors, as LAPACK has them, and solutions with them.
#pragma once

#include <optional>
#include <utility>

#include "sim/model/unity/arithmetic/matrix.h"

namespace cox::model::unity {

/// P A = L U.
template <typename Wide>
struct LuFactors {
  Matrix<Wide> both;                  ///< L below the diagonal, whose own diagonal is 1, and U
  std::vector<std::uint64_t> pivots;  ///< step k has exchanged rows k and pivots[k]
};

/// The pivot of a column is its largest element from the diagonal on; the first one wins. A column of zeros is left as it is.
template <typename Wide>
[[nodiscard]] LuFactors<Wide> lu_factors(Matrix<Wide> a) {
  std::vector<std::uint64_t> pivots;
  for (std::uint64_t k = 0; k < std::min(a.rows(), a.columns()); ++k) {
    std::uint64_t pivot = k;
    for (std::uint64_t i = k + 1; i < a.rows(); ++i) {
      if (std::fabs(a.at(i, k)) > std::fabs(a.at(pivot, k))) pivot = i;
    }
    pivots.push_back(pivot);
    a.swap_rows(k, pivot);
    const Wide *pivot_row = a.row(k);
    if (pivot_row[k] == 0) continue;
    for (std::uint64_t i = k + 1; i < a.rows(); ++i) {
      Wide *row = a.row(i);
      row[k] /= pivot_row[k];
      for (std::uint64_t c = k + 1; c < a.columns(); ++c) row[c] -= row[k] * pivot_row[c];
    }
  }
  return {std::move(a), std::move(pivots)};
}

/// Replaces the lower triangle of A by L, where A = L L^T. False if a pivot is not positive.
template <typename Wide>
[[nodiscard]] bool factor_positive(Matrix<Wide> &a) {
  for (std::uint64_t k = 0; k < a.rows(); ++k) {
    Wide *pivot_row = a.row(k);
    for (std::uint64_t c = 0; c < k; ++c) pivot_row[k] -= pivot_row[c] * pivot_row[c];
    if (!(pivot_row[k] > 0)) return false;
    pivot_row[k] = std::sqrt(pivot_row[k]);
    for (std::uint64_t i = k + 1; i < a.rows(); ++i) {
      Wide *row = a.row(i);
      for (std::uint64_t c = 0; c < k; ++c) row[k] -= row[c] * pivot_row[c];
      row[k] /= pivot_row[k];
    }
  }
  return true;
}

/// The product L U of computed square factors.
template <typename Wide>
class TriangularProduct {
 public:
  explicit TriangularProduct(const LuFactors<Wide> &lu) : lower_(lu.both), upper_(lu.both) {
    for (std::uint64_t k = 0; k < lower_.rows(); ++k) lower_.at(k, k) = 1;
  }
  /// L L^T.
  explicit TriangularProduct(const Matrix<Wide> &lower) : lower_(lower), upper_(lower.transposed()) {}

  /// Solves L U X = B. `b` becomes X.
  void solve(Matrix<Wide> &b) const {
    const std::uint64_t n = lower_.rows();
    for (std::uint64_t k = 0; k < n; ++k) {
      divide(b, k, lower_.at(k, k));
      for (std::uint64_t i = k + 1; i < n; ++i) subtract(b, i, lower_.at(i, k), k);
    }
    for (std::uint64_t k = n; k-- > 0;) {
      divide(b, k, upper_.at(k, k));
      for (std::uint64_t i = 0; i < k; ++i) subtract(b, i, upper_.at(i, k), k);
    }
  }

  /// The inverse of L U. Nothing if a singular matrix can have these factors.
  ///
  /// L U is A + E, where |E| <= n u |L| |U| element by element (u: the unit roundoff). If A is singular, the spectral radius of |(L U)^-1|
  /// |E| is at least 1. For every positive x, it is at most the largest quotient of the elements of |(L U)^-1| |E| x and x.
  [[nodiscard]] std::optional<Matrix<Wide>> inverse() const {
    const std::uint64_t n = lower_.rows();
    for (std::uint64_t k = 0; k < n; ++k) {
      if (upper_.at(k, k) == 0) return std::nullopt;
    }
    Matrix<Wide> inverse = identity<Wide>(n, n);
    solve(inverse);
    const Wide error = static_cast<Wide>(n) * std::numeric_limits<Wide>::epsilon();
    std::vector<Wide> x(n, Wide{1});
    for (unsigned turn = 0; turn < kTurns; ++turn) {
      const std::vector<Wide> y = magnitudes(inverse, Part::all, magnitudes(lower_, Part::lower, magnitudes(upper_, Part::upper, x)));
      bool below = true;
      for (std::uint64_t i = 0; i < n; ++i) below = below && error * y[i] < x[i];
      if (below) return inverse;
      x = y;
    }
    return std::nullopt;
  }

 private:
  static constexpr unsigned kTurns = 4;  // of the power iteration, which brings the quotients close to the radius

  enum class Part : std::uint8_t { all, lower, upper };
  /// |m| x, where `part` of m counts.
  static std::vector<Wide> magnitudes(const Matrix<Wide> &m, Part part, const std::vector<Wide> &x) {
    std::vector<Wide> y(x.size());
    for (std::uint64_t r = 0; r < m.rows(); ++r) {
      const std::uint64_t first = part == Part::upper ? r : 0, end = part == Part::lower ? r + 1 : m.columns();
      for (std::uint64_t c = first; c < end; ++c) y[r] += std::fabs(m.at(r, c)) * x[c];
    }
    return y;
  }

  static void divide(Matrix<Wide> &b, std::uint64_t k, Wide divisor) {
    for (std::uint64_t c = 0; c < b.columns(); ++c) b.at(k, c) /= divisor;
  }
  /// Subtracts `factor` times row k from row i.
  static void subtract(Matrix<Wide> &b, std::uint64_t i, Wide factor, std::uint64_t k) {
    Wide *row = b.row(i);
    const Wide *other = b.row(k);
    for (std::uint64_t c = 0; c < b.columns(); ++c) row[c] -= factor * other[c];
  }

  Matrix<Wide> lower_, upper_;  // what lies in the other triangles is unused
};

}  // namespace cox::model::unity
