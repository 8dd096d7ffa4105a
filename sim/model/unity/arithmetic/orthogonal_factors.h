// SPDX-License-Identifier: MIT
// QR factors by Householder's reflections, as LAPACK computes them, with a diagonal of R that is not negative.
#pragma once

#include "sim/model/unity/arithmetic/matrix.h"

namespace cox::model::unity {

/// A = H(0) H(1) ... R, where H(k) = I - scale(k) v v^T. The vector v of H(k) is 1 at k and 0 above; the rest of it lies below R's
/// diagonal.
template <typename Wide>
class QrFactors {
 public:
  explicit QrFactors(Matrix<Wide> a) : factors_(std::move(a)), scales_(steps()), lengths_(column_lengths()) {
    for (std::uint64_t k = 0; k < steps(); ++k) {
      reflect_column(k);
      reflect(factors_, k, k + 1);
    }
  }

  /// The smaller one of A's extents.
  [[nodiscard]] std::uint64_t steps() const { return std::min(factors_.rows(), factors_.columns()); }
  /// Whether a matrix of less than full rank can have these factors. A has at least as many rows as columns.
  ///
  /// Q R is A + E, where the length of each column of E is at most c times that of A's (c: a small multiple of rows and epsilon). If A z =
  /// 0, then |z| <= |R^-1| |Q^T E| |z|, so the spectral radius of |R^-1| |Q^T E| is at least 1. With the bounds of E, it has rank 1.
  [[nodiscard]] bool deficient() const {
    const std::uint64_t n = factors_.columns();
    Matrix<Wide> inverse = identity<Wide>(n, n);  // of R
    Wide radius = 0;
    for (std::uint64_t k = n; k-- > 0;) {
      for (std::uint64_t i = k + 1; i < n; ++i) {
        for (std::uint64_t c = i; c < n; ++c) inverse.at(k, c) -= factors_.at(k, i) * inverse.at(i, c);
      }
      Wide sum = 0;
      for (std::uint64_t c = k; c < n; ++c) {
        inverse.at(k, c) /= factors_.at(k, k);
        sum += std::fabs(inverse.at(k, c));
      }
      radius += sum * lengths_[k];
    }
    const Wide error = 4 * static_cast<Wide>(factors_.rows()) * std::numeric_limits<Wide>::epsilon();
    return !(error * radius < 1);  // also if R has a 0 on its diagonal
  }
  /// An element of R before its signs change; c is at least r.
  [[nodiscard]] Wide r(std::uint64_t r, std::uint64_t c) const { return factors_.at(r, c); }

  /// The upper triangle, or trapezium, of steps() rows. No element of its diagonal is negative.
  [[nodiscard]] Matrix<Wide> positive_r() const {
    Matrix<Wide> result(steps(), factors_.columns());
    for (std::uint64_t k = 0; k < steps(); ++k) {
      for (std::uint64_t c = k; c < factors_.columns(); ++c) result.at(k, c) = changes_sign(k) ? 0 - factors_.at(k, c) : factors_.at(k, c);
    }
    return result;
  }
  /// The steps() orthonormal columns that go with positive_r().
  [[nodiscard]] Matrix<Wide> q() const {
    Matrix<Wide> result = identity<Wide>(factors_.rows(), steps());
    multiply_by_q(result);
    for (std::uint64_t r = 0; r < result.rows(); ++r) {
      for (std::uint64_t c = 0; c < result.columns(); ++c) {
        if (changes_sign(c)) result.at(r, c) = 0 - result.at(r, c);
      }
    }
    return result;
  }
  /// `b` becomes H(0) H(1) ... b.
  void multiply_by_q(Matrix<Wide> &b) const {
    for (std::uint64_t k = steps(); k-- > 0;) reflect(b, k, 0);
  }
  /// `b` becomes ... H(1) H(0) b.
  void multiply_by_q_transposed(Matrix<Wide> &b) const {
    for (std::uint64_t k = 0; k < steps(); ++k) reflect(b, k, 0);
  }

 private:
  [[nodiscard]] bool changes_sign(std::uint64_t k) const { return std::signbit(factors_.at(k, k)); }

  [[nodiscard]] std::vector<Wide> column_lengths() const {
    std::vector<Wide> lengths(factors_.columns());
    for (std::uint64_t r = 0; r < factors_.rows(); ++r) {
      for (std::uint64_t c = 0; c < factors_.columns(); ++c) lengths[c] += factors_.at(r, c) * factors_.at(r, c);
    }
    for (Wide &length : lengths) length = std::sqrt(length);
    return lengths;
  }

  /// Makes the reflection that maps column k to a multiple of unit vector k. A column that is 0 below the diagonal stays as it is.
  void reflect_column(std::uint64_t k) {
    Wide tail = 0;
    for (std::uint64_t r = k + 1; r < factors_.rows(); ++r) tail += factors_.at(r, k) * factors_.at(r, k);
    if (tail == 0) return;
    const Wide head = factors_.at(k, k);
    const Wide image = -std::copysign(std::sqrt(head * head + tail), head);
    scales_[k] = (image - head) / image;
    for (std::uint64_t r = k + 1; r < factors_.rows(); ++r) factors_.at(r, k) /= head - image;
    factors_.at(k, k) = image;
  }

  /// Applies H(k) to columns first, first + 1 ... of b.
  void reflect(Matrix<Wide> &b, std::uint64_t k, std::uint64_t first) const {
    if (scales_[k] == 0 || first >= b.columns()) return;
    std::vector<Wide> product(b.row(k), b.row(k) + b.columns());  // v^T b
    for (std::uint64_t r = k + 1; r < b.rows(); ++r) {
      for (std::uint64_t c = first; c < b.columns(); ++c) product[c] += factors_.at(r, k) * b.at(r, c);
    }
    for (std::uint64_t c = first; c < b.columns(); ++c) {
      product[c] *= scales_[k];
      b.at(k, c) -= product[c];
    }
    for (std::uint64_t r = k + 1; r < b.rows(); ++r) {
      for (std::uint64_t c = first; c < b.columns(); ++c) b.at(r, c) -= factors_.at(r, k) * product[c];
    }
  }

  Matrix<Wide> factors_;
  std::vector<Wide> scales_;
  std::vector<Wide> lengths_;  // of A's columns
};

}  // namespace cox::model::unity
