// SPDX-License-Identifier: MIT
#include "sim/model/cube/arithmetic/element.h"
#include "sim/model/cube/arithmetic/reference.h"

namespace cox::model::cube::reference {

namespace layout = isa::cube;

void load(const layout::DramToL1 &op, Buffers &buffers, const std::byte *dram) {
  std::byte *l1 = buffers.l1.data() + op.destination;
  if (op.format == layout::Format::linear) {
    for (std::uint64_t row = 0; row < op.rows; ++row) {
      for (std::uint64_t byte = 0; byte < op.row_bytes; ++byte) l1[row * op.destination_pitch + byte] = dram[row * op.source_pitch + byte];
    }
    return;
  }
  const std::uint32_t rows = layout::fractals(op.rows, layout::kFractalRows) * layout::kFractalRows;
  const std::uint32_t bytes = layout::fractals(op.row_bytes, layout::kFractalRowBytes) * layout::kFractalRowBytes;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t byte = 0; byte < bytes; ++byte) {
      const bool inside = row < op.rows && byte < op.row_bytes;
      l1[layout::l1_bit(row, byte, 8, op.destination_pitch) / 8] = inside ? dram[std::uint64_t{row} * op.source_pitch + byte] : std::byte{};
    }
  }
}

void move(const layout::L1ToL0 &op, Buffers &buffers) {
  const std::uint32_t bits = layout::element_bits(op.type);
  const std::byte *l1 = buffers.l1.data() + op.source;
  std::byte *l0 = (op.right ? buffers.l0b.data() : buffers.l0a.data()) + op.destination;
  const std::uint32_t k_size = op.right ? op.rows : op.columns;
  const std::uint32_t other_size = op.right ? op.columns : op.rows;
  for (std::uint32_t other = 0; other < op.other_count() * layout::kFractalRows; ++other) {
    for (std::uint32_t k = 0; k < op.k_count() * layout::fractal_width(op.type); ++k) {
      std::uint32_t value = 0;
      if (k < k_size && other < other_size) {
        value = element(
            l1, op.transpose ? layout::l1_bit(k, other, bits, op.source_pitch) : layout::l1_bit(other, k, bits, op.source_pitch), bits);
      }
      set_element(l0, op.right ? layout::l0b_bit(k, other, op.type, op.other_count()) : layout::l0a_bit(other, k, op.type, op.k_count()),
                  bits, value);
    }
  }
}

void move(const layout::L1ToBt &op, Buffers &buffers) {
  for (std::uint32_t byte = 0; byte < op.bytes; ++byte) buffers.bias_table[op.destination + byte] = buffers.l1[op.source + byte];
}

}  // namespace cox::model::cube::reference
