// SPDX-License-Identifier: MIT
// Operands of the matrix unit's kernels.
#pragma once

#include <cstdint>

#include "coxswain/isa/cube/table.h"

namespace cox::kernels::cube {

using isa::cube::Activation;
using isa::cube::OutputType;
using isa::cube::Type;

enum class Order : std::uint8_t { row_major, column_major };

/// A matrix in DRAM, or in L1 in the layout of DRAM_TO_L1 with Format Fractal.
struct Matrix {
  std::uint64_t address = 0;  ///< bus address of element (0, 0), or its L1 address if in L1
  std::uint32_t rows = 0, columns = 0;
  /// 0 means no gaps. In DRAM: bytes from one row (column_major: column) to the next.
  /// In L1: fractals from one column of fractals to the next, at most 2,048.
  std::uint32_t pitch = 0;
  Order order = Order::row_major;
  bool in_l1 = false;
};

}  // namespace cox::kernels::cube
