// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/operand_source.h"

#include "coxswain/isa/cube/build.h"
#include "coxswain/kernels/cube/tile_chooser.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::fractal_width;
using isa::cube::fractals;
using isa::cube::kFractalBytes;
using isa::cube::kFractalRows;
using isa::cube::Opcode;
using isa::cube::packed_bytes;

}  // namespace

void OperandSource::begin(const Matrix &matrix, Type type, bool right) {
  matrix_ = matrix;
  type_ = type;
  right_ = right;
  k_rows_ = (matrix.order == Order::column_major) != right;
  if (!matrix.in_l1) return;
  column_fractals_ = matrix.pitch;
  const std::uint32_t unit = k_unit(type);
  stride_ = (k_rows_ ? unit / kFractalRows : unit / fractal_width(type) * column_fractals_) * kFractalBytes;
}

void OperandSource::place(std::uint32_t l1, std::uint32_t tile, std::uint32_t units) {
  const std::uint32_t unit = k_unit(type_);
  l1_ = l1;
  place_bytes_ = static_cast<std::uint32_t>(panel_bytes(type_, tile, units));
  column_fractals_ = fractals(k_rows_ ? units * unit : tile, kFractalRows);
  stride_ = (k_rows_ ? unit / kFractalRows : unit / fractal_width(type_) * column_fractals_) * kFractalBytes;
}

std::uint32_t OperandSource::across_bytes(std::uint32_t across) const {
  return (k_rows_ ? across / fractal_width(type_) * column_fractals_ : across / kFractalRows) * kFractalBytes;
}

void OperandSource::begin_panel(std::uint64_t address, std::uint32_t across, std::uint32_t size) {
  size_ = size;
  if (matrix_.in_l1) {
    source_ = address + across_bytes(across);
  } else {
    source_ = address + (k_rows_ ? packed(across) : std::uint64_t{across} * matrix_.pitch);
  }
}

isa::cube::MachineCode OperandSource::load(std::uint32_t k, std::uint32_t count, std::uint32_t place, std::uint32_t unit) const {
  const std::uint32_t row = k_rows_ ? size_ : count;
  return isa::cube::encode(isa::cube::DramToL1{.source = source_ + (k_rows_ ? std::uint64_t{k} * matrix_.pitch : packed(k)),
                                               .rows = k_rows_ ? count : size_,
                                               .row_bytes = packed_bytes(row, type_),
                                               .source_pitch = matrix_.pitch,
                                               .format = isa::cube::Format::fractal,
                                               .destination = address_in(place, unit, 0),
                                               .destination_pitch = column_fractals_});
}

void OperandSource::shorten(isa::cube::MachineCode &load, std::uint32_t count) const {
  if (k_rows_) {
    isa::cube::put<Opcode::DRAM_TO_L1, "Rows">(load, count);
  } else {
    isa::cube::put<Opcode::DRAM_TO_L1, "RowBytes">(load, packed_bytes(count, type_));
  }
}

OperandMove OperandSource::move() const {
  OperandMove move{.along = isa::cube::word_of<Opcode::L1_TO_L0A, "Source">(), .stride = stride_};
  static_assert(isa::cube::word_of<Opcode::L1_TO_L0A, "Source">() == isa::cube::word_of<Opcode::L1_TO_L0B, "Source">());
  move.code = isa::cube::encode(
      isa::cube::L1ToL0{.right = right_, .type = type_, .transpose = k_rows_, .source_pitch = column_fractals_, .rows = 0, .columns = 0});
  return move;
}

}  // namespace cox::kernels::cube
