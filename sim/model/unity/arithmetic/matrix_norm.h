// SPDX-License-Identifier: MIT
// Norms of vectors and matrices, as numpy.linalg.norm has them.
#pragma once

#include "sim/model/unity/arithmetic/matrix.h"

namespace cox::model::unity {

using isa::unity::NormType;

/// The norm of a vector, element by element. NaN wins.
template <typename Wide>
class VectorNorm {
 public:
  explicit VectorNorm(NormType type) : type_(type) {}

  void add(Wide x) {
    const Wide magnitude = std::fabs(x);
    switch (type_) {
      case NormType::two: value_ += x * x; break;
      case NormType::one: value_ += magnitude; break;
      case NormType::infinity:
        if (std::isnan(x) || magnitude > value_) value_ = magnitude;
        break;
      case NormType::minus_infinity:
        if (empty_ || std::isnan(x) || magnitude < value_) value_ = magnitude;
        break;
    }
    empty_ = false;
  }
  [[nodiscard]] Wide value() const { return type_ == NormType::two ? std::sqrt(value_) : value_; }

 private:
  NormType type_;
  Wide value_ = 0;
  bool empty_ = true;
};

/// The norm of each column, or of each row.
template <typename Wide>
[[nodiscard]] std::vector<Wide> vector_norms(const Matrix<Wide> &a, NormType type, bool of_rows) {
  std::vector<VectorNorm<Wide>> norms(of_rows ? a.rows() : a.columns(), VectorNorm<Wide>(type));
  for (std::uint64_t r = 0; r < a.rows(); ++r) {
    for (std::uint64_t c = 0; c < a.columns(); ++c) norms[of_rows ? r : c].add(a.at(r, c));
  }
  std::vector<Wide> values;
  for (const VectorNorm<Wide> &norm : norms) values.push_back(norm.value());
  return values;
}

/// The norm of all elements as one vector.
template <typename Wide>
[[nodiscard]] Wide flat_norm(const Matrix<Wide> &a, NormType type) {
  VectorNorm<Wide> norm(type);
  for (std::uint64_t r = 0; r < a.rows(); ++r) {
    for (std::uint64_t c = 0; c < a.columns(); ++c) norm.add(a.at(r, c));
  }
  return norm.value();
}

/// numpy.linalg.norm of a matrix: Frobenius, the largest sum of a column, the largest or the smallest sum of a row.
template <typename Wide>
[[nodiscard]] Wide matrix_norm(const Matrix<Wide> &a, NormType type) {
  if (type == NormType::two) return flat_norm(a, type);
  VectorNorm<Wide> extreme(type == NormType::minus_infinity ? type : NormType::infinity);
  for (const Wide sum : vector_norms(a, NormType::one, type != NormType::one)) extreme.add(sum);
  return extreme.value();
}

}  // namespace cox::model::unity
