// SPDX-License-Identifier: MIT
// Matrices in the format in which factorisations are computed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/model/unity/arithmetic/elements.h"
#include "sim/model/unity/arithmetic/memory.h"
#include "sim/model/unity/arithmetic/real_functions.h"

namespace cox::model::unity {

/// Calls `evaluate` with a number of the format for matrices and Fourier transforms of a float unit: FP64, and for FP64 the widest type of
/// this host. FP32 would be too narrow for FP16: rounding errors of a factorisation grow with its condition number.
template <typename Evaluate>
auto in_matrix_format(Unit unit, Evaluate evaluate) {
  return in_wider(unit == Unit::fp16 ? Unit::fp32 : unit, evaluate);
}

/// A dense matrix, row by row.
template <typename Wide>
class Matrix {
 public:
  Matrix(std::uint64_t rows, std::uint64_t columns) : rows_(rows), columns_(columns), elements_(rows * columns) {}
  Matrix(Memory &memory, const isa::unity::Run &run, std::uint64_t rows, std::uint64_t columns) : Matrix(rows, columns) {
    const std::byte *bytes = read(memory, run);
    for (std::uint64_t i = 0; i < elements_.size(); ++i)
      elements_[i] = static_cast<Wide>(real_of_bits(load_bits(bytes, run.unit, i), run.unit));
  }

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t columns() const { return columns_; }
  [[nodiscard]] Wide *row(std::uint64_t r) { return &elements_[r * columns_]; }
  [[nodiscard]] const Wide *row(std::uint64_t r) const { return &elements_[r * columns_]; }
  [[nodiscard]] Wide &at(std::uint64_t r, std::uint64_t c) { return elements_[r * columns_ + c]; }
  [[nodiscard]] Wide at(std::uint64_t r, std::uint64_t c) const { return elements_[r * columns_ + c]; }

  void swap_rows(std::uint64_t a, std::uint64_t b) {
    if (a != b) std::swap_ranges(row(a), row(a) + columns_, row(b));
  }
  void swap_columns(std::uint64_t a, std::uint64_t b) {
    for (std::uint64_t r = 0; r < rows_; ++r) std::swap(at(r, a), at(r, b));
  }
  void fill(Wide value) { std::fill(elements_.begin(), elements_.end(), value); }
  [[nodiscard]] bool finite() const {
    return std::all_of(elements_.begin(), elements_.end(), [](Wide x) { return std::isfinite(x); });
  }
  [[nodiscard]] Matrix transposed() const {
    Matrix result(columns_, rows_);
    for (std::uint64_t r = 0; r < rows_; ++r) {
      for (std::uint64_t c = 0; c < columns_; ++c) result.at(c, r) = at(r, c);
    }
    return result;
  }
  /// Rounds each element once.
  void store(Memory &memory, const isa::unity::Run &run) const {
    std::byte *bytes = write(memory, run);
    for (std::uint64_t i = 0; i < elements_.size(); ++i) store_bits(bytes, run.unit, i, bits_of_wide(elements_[i], run.unit));
  }

 private:
  std::uint64_t rows_, columns_;
  std::vector<Wide> elements_;
};

template <typename Wide>
[[nodiscard]] Matrix<Wide> identity(std::uint64_t rows, std::uint64_t columns) {
  Matrix<Wide> result(rows, columns);
  for (std::uint64_t i = 0; i < std::min(rows, columns); ++i) result.at(i, i) = 1;
  return result;
}

template <typename Wide>
inline constexpr Wide kNotANumber = std::numeric_limits<Wide>::quiet_NaN();

}  // namespace cox::model::unity
