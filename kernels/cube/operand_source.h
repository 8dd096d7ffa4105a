// SPDX-License-Identifier: MIT
// The position of an operand of a product, in DRAM or L1. An operand in DRAM is loaded to L1 panel by panel and block by block. Internal to
// the kernels.
#pragma once

#include <cstdint>

#include "coxswain/isa/cube/operation.h"
#include "coxswain/kernels/cube/matrix.h"
#include "coxswain/kernels/cube/multiply_stage.h"

namespace cox::kernels::cube {

class OperandSource {
 public:
  /// `right`: the operand is B. `matrix.pitch` must be the actual pitch; 0 does not mean "no gaps" here.
  void begin(const Matrix &matrix, Type type, bool right);
  /// Assigns the operand its buffers ("places") in L1, from address `l1` on. A place has room for `units` * k_unit()
  /// elements from each of `tile` rows (for B, columns) of the operand. Do not call this for a matrix in L1.
  void place(std::uint32_t l1, std::uint32_t tile, std::uint32_t units);

  /// Selects the panel that load() reads: `size` rows from row `across` on, of the matrix at `address`. For B, columns instead of rows.
  void begin_panel(std::uint64_t address, std::uint32_t across, std::uint32_t size);

  /// Returns a DRAM_TO_L1, without flags, that loads elements [k, k + count) of each row (for B, column) of the panel into place number
  /// `place`. In the place, they begin at element `unit` * k_unit() of their row.
  [[nodiscard]] isa::cube::MachineCode load(std::uint32_t k, std::uint32_t count, std::uint32_t place, std::uint32_t unit) const;
  // For loading block after block: load_stride() is the distance between the sources of two blocks; shorten() makes a load shorter.
  [[nodiscard]] std::uint64_t load_stride(std::uint32_t count) const {
    return k_rows_ ? std::uint64_t{count} * matrix_.pitch : packed(count);
  }
  void shorten(isa::cube::MachineCode &load, std::uint32_t count) const;
  [[nodiscard]] std::uint32_t place_address(std::uint32_t place) const { return l1_ + place * place_bytes_; }
  [[nodiscard]] std::uint64_t source() const { return source_; }
  [[nodiscard]] std::uint32_t stride() const { return stride_; }
  /// Returns the L1 address of element `unit` * k_unit() in row (for B, column) `across` of place number `place`.
  [[nodiscard]] std::uint32_t address_in(std::uint32_t place, std::uint32_t unit, std::uint32_t across) const {
    return l1_ + place * place_bytes_ + unit * stride_ + across_bytes(across);
  }
  /// For a matrix in L1: returns the L1 address of element `unit` * k_unit() in the first row (for B, column) of the panel.
  [[nodiscard]] std::uint32_t address_in_l1(std::uint32_t unit) const { return static_cast<std::uint32_t>(source_) + unit * stride_; }

  [[nodiscard]] OperandMove move() const;
  [[nodiscard]] bool in_l1() const { return matrix_.in_l1; }
  [[nodiscard]] bool k_rows() const { return k_rows_; }
  [[nodiscard]] std::uint32_t place_bytes() const { return place_bytes_; }

 private:
  [[nodiscard]] std::uint32_t across_bytes(std::uint32_t across) const;
  [[nodiscard]] std::uint64_t packed(std::uint64_t elements) const { return elements * isa::cube::element_bits(type_) / 8; }

  Matrix matrix_;
  Type type_ = Type::bfloat16;
  bool right_ = false, k_rows_ = false;
  std::uint32_t l1_ = 0, place_bytes_ = 0, column_fractals_ = 1, stride_ = 0;
  std::uint64_t source_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace cox::kernels::cube
