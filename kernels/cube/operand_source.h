// SPDX-License-Identifier: MIT
// An operand of a product on its way from DRAM to L1, panel after panel and block after block, or in L1 already. Of the kernels' inside.
#pragma once

#include <cstdint>

#include "isa/cube/operation.h"
#include "kernels/cube/matrix.h"
#include "kernels/cube/multiply_stage.h"

namespace cox::kernels::cube {

class OperandSource {
 public:
  /// `right`: it is B. `pitch` as in Matrix, but not 0.
  void begin(const Matrix &matrix, Type type, bool right);
  /// Where in L1 panels of `tile` rows (of B: columns) and all of k, or blocks of `units` of k go. Not of a matrix in L1.
  void place(std::uint32_t l1, std::uint32_t tile, std::uint32_t units);

  /// The panel from row (of B: column) `across` on, of the matrix that begins at `address`.
  void begin_panel(std::uint64_t address, std::uint32_t across, std::uint32_t size);

  /// DRAM_TO_L1 without flags: elements [k, k + count) of the panel to place `place`, there from unit `unit` on.
  [[nodiscard]] isa::cube::MachineCode load(std::uint32_t k, std::uint32_t count, std::uint32_t place, std::uint32_t unit) const;
  // The same by parts, block after block: the first one's slot, what its next one's source is away, and what a shorter one changes.
  [[nodiscard]] std::uint64_t load_stride(std::uint32_t count) const {
    return k_rows_ ? std::uint64_t{count} * matrix_.pitch : packed(count);
  }
  void shorten(isa::cube::MachineCode &load, std::uint32_t count) const;
  [[nodiscard]] std::uint32_t place_address(std::uint32_t place) const { return l1_ + place * place_bytes_; }
  [[nodiscard]] std::uint64_t source() const { return source_; }
  [[nodiscard]] std::uint32_t stride() const { return stride_; }
  /// The L1 address of unit `unit` in place `place`, `across` rows (of B: columns) from the first that it has.
  [[nodiscard]] std::uint32_t address_in(std::uint32_t place, std::uint32_t unit, std::uint32_t across) const {
    return l1_ + place * place_bytes_ + unit * stride_ + across_bytes(across);
  }
  /// Of a matrix in L1: that of unit `unit` of the panel.
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
