// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "sim/model/pim/arithmetic/elements.h"
#include "sim/model/pim/arithmetic/reference.h"

namespace cox::model::pim::reference {
namespace {

/// Writes the low `width` bits of each value; spare bits of the last byte become 0.
void write_vector(CoreMemories &memories, std::uint32_t address, unsigned width, const std::vector<std::uint32_t> &values) {
  const std::uint64_t bytes = vector_bytes(values.size(), width);
  if (bytes == 0) return;
  std::byte *to = bytes_at(memories, address, bytes);
  std::fill_n(to, bytes, std::byte{});
  for (std::size_t i = 0; i < values.size(); ++i) write_element(to, i, width, values[i]);
}

std::vector<bool> read_mask(const CoreMemories &memories, std::uint32_t address, std::uint32_t count) {
  std::vector<bool> mask(count);
  if (count == 0) return mask;
  const std::byte *bits = bytes_at(memories, address, vector_bytes(count, 1));
  for (std::uint32_t i = 0; i < count; ++i) mask[i] = read_bit(bits, i);
  return mask;
}

}  // namespace

void output(const isa::pim::Output &op, CoreMemories &memories) {
  const std::vector<bool> mask = read_mask(memories, op.mask, op.outsum ? op.sums : 0);
  for (std::uint32_t group = 0; group < op.groups; ++group) {
    const auto first = memories.output_registers.begin() + std::ptrdiff_t{group} * op.columns * op.group_macros;
    std::vector<std::uint32_t> d(first, first + op.group_columns);
    if (op.outsum) {
      for (std::uint32_t i = 0; i < op.sums; ++i) {
        if (mask[i]) d[i] += d[i + 1];
      }
    }
    if (op.outsum_move) {
      for (std::uint32_t i = 0; i < op.sums; ++i) d[i] = d[2 * std::size_t{i}] + d[2 * std::size_t{i} + 1];
    }
    d.resize(op.stored);
    write_vector(memories, op.output + group * static_cast<std::uint32_t>(op.group_bytes), op.width, d);
  }
  std::fill(memories.output_registers.begin(), memories.output_registers.end(), 0U);
  memories.registers_used = 0;
}

void transfer(const isa::pim::Transfer &op, CoreMemories &memories) {
  if (op.results == 0) return;
  const std::vector<bool> mask = read_mask(memories, op.mask, op.results);
  const std::byte *from = bytes_at(memories, op.source, vector_bytes(op.results, op.width));
  std::vector<std::uint32_t> packed;
  for (std::uint32_t i = 0; i < op.results; ++i) {
    if (mask[i]) packed.push_back(static_cast<std::uint32_t>(read_element(from, i, op.width)));
  }
  write_vector(memories, op.destination, op.width, packed);
}

}  // namespace cox::model::pim::reference
