// SPDX-License-Identifier: MIT
// Linear algebra and Fourier transforms: LU, CHOLESKY, QR, NORM, INVERSE, LSTSQ, SOLVE, FFT, IFFT.
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/instruction.h"
#include "coxswain/isa/unity/run.h"

namespace cox::isa::unity {

/// What a norm is taken of. The values are the codes of AXIS.
enum class NormAxis : std::uint8_t { matrix, column, row, all };
/// The values are the codes of NORM_TYPE.
enum class NormType : std::uint8_t { two, one, infinity, minus_infinity };

/// LU to SOLVE, of matrices that are dense, row by row. Let k = min(rows, columns).
///
/// op       | a               | b                      | result              | second
/// LU       | rows x columns  |                        | L and U in one      | pivots: k s32, counted from 1
/// CHOLESKY | n x n           |                        | n x n               |
/// QR       | rows x columns  |                        | Q, rows x k         | R, k x columns
/// NORM     | rows x columns  |                        | one a matrix, column or row |
/// INVERSE  | n x n           |                        | n x n               |
/// LSTSQ    | rows x columns  | rows x right_sides, behind a | X, columns x right_sides |
/// SOLVE    | n x n           | n x right_sides        | X, n x right_sides  | L and U in one, as LU; may be absent
struct MatrixOperation {
  Opcode op{};
  std::uint32_t rows = 1, columns = 1;  ///< of a, 1 to 4095
  std::uint32_t right_sides = 0;        ///< LSTSQ, SOLVE: columns of b, 1 to 4095
  Run a{}, b{};                         ///< of one float unit; no elements where the operation has none
  Run result{}, second{};               ///< of a's unit (pivots: s32); no elements where the operation has none
  bool upper = false;                   ///< CHOLESKY: a = R^T R from the upper triangle, else L L^T from the lower one
  NormAxis axis{};                      ///< NORM
  NormType type{};                      ///< NORM
};

/// FFT and IFFT of `batch` vectors, one behind another. Complex elements are pairs (real part, imaginary part).
struct Fourier {
  Opcode op{};
  std::uint32_t length = 1, batch = 1;  ///< 1 to 4095; any length, not only powers of two
  bool real_input = false;              ///< source elements are real numbers, not pairs
  Run source{};                         ///< batch * length * (real_input ? 1 : 2) elements of a float unit
  Run result{};                         ///< batch * length * 2 elements of the same unit
};

}  // namespace cox::isa::unity
