// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "sim/model/pim/arithmetic/elements.h"
#include "sim/model/pim/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/scratch.h"

namespace cox::model::pim::fast {
namespace {

using arithmetic::scratch;
using arithmetic::ScratchUse;

std::uint32_t *scratch_words(ScratchUse use, std::size_t count) {
  return reinterpret_cast<std::uint32_t *>(scratch(use, static_cast<std::int64_t>(count * 4)));
}

/// Computes the results that pim-output stores of one group. `next` has all bits of the elements that add the next one, none of others.
void add_neighbours(const isa::pim::Output &op, const std::uint32_t *registers, const std::uint32_t *next, std::uint32_t *results) {
  std::copy_n(registers, op.group_columns, results);
  if (op.outsum && op.sums != 0) {
    // No bit is set for the last element.
    for (std::uint32_t i = 0; i + 1 < op.sums; ++i) results[i] = registers[i] + (registers[i + 1] & next[i]);
  }
  if (op.outsum_move) {
    for (std::size_t i = 0; i < op.sums; ++i) results[i] = results[2 * i] + results[2 * i + 1];
  }
}

}  // namespace

void output(const isa::pim::Output &op, CoreMemories &memories, const Kernels &kernels) {
  std::uint32_t *next = nullptr, *results = nullptr;
  if (op.outsum || op.outsum_move) results = scratch_words(ScratchUse::sums, op.group_columns);
  if (op.outsum && op.sums != 0) {
    next = scratch_words(ScratchUse::values, op.sums);
    kernels.widen(bytes_at(memories, op.mask, vector_bytes(op.sums, 1)), 1, op.sums, Element::bits32, next);
  }
  for (std::uint32_t group = 0; group < op.groups && op.stored != 0; ++group) {
    const std::uint32_t *from = memories.output_registers.data() + std::size_t{group} * op.columns * op.group_macros;
    if (results != nullptr) {
      add_neighbours(op, from, next, results);
      from = results;
    }
    std::byte *to = bytes_at(memories, op.output + group * static_cast<std::uint32_t>(op.group_bytes), op.group_bytes);
    kernels.narrow(from, op.stored, op.width, to);
  }
  std::fill_n(memories.output_registers.begin(), memories.registers_used, 0U);
  memories.registers_used = 0;
}

void transfer(const isa::pim::Transfer &op, CoreMemories &memories, const Kernels &kernels) {
  if (op.results == 0) return;
  constexpr std::uint32_t kChunk = 512;
  alignas(64) std::uint32_t values[kChunk], packed[kChunk + 8];
  alignas(64) std::int8_t mask[kChunk];
  const std::byte *source = bytes_at(memories, op.source, vector_bytes(op.results, op.width));
  const std::byte *bits = bytes_at(memories, op.mask, vector_bytes(op.results, 1));
  const std::uint64_t bytes = vector_bytes(op.valid, op.width);
  std::byte *const result = scratch(ScratchUse::destination, static_cast<std::int64_t>(bytes));
  std::byte *to = result;
  std::size_t waiting = 0;  // fewer than 8, so that the others fill whole bytes
  for (std::uint32_t first = 0; first < op.results; first += kChunk) {
    const std::uint32_t count = std::min(kChunk, op.results - first);
    kernels.widen(source + vector_bytes(first, op.width), op.width, count, Element::bits32, values);
    kernels.widen(bits + first / 8, 1, count, Element::bits8, mask);
    for (std::uint32_t i = 0; i < count; ++i) {
      packed[waiting] = values[i];
      waiting -= static_cast<std::size_t>(mask[i]);  // -1 for a set bit
    }
    const std::size_t whole = waiting / 8 * 8;
    kernels.narrow(packed, whole, op.width, to);
    to += vector_bytes(whole, op.width);
    std::copy(packed + whole, packed + waiting, packed);
    waiting -= whole;
  }
  kernels.narrow(packed, waiting, op.width, to);
  if (bytes != 0) std::memcpy(bytes_at(memories, op.destination, bytes), result, bytes);
}

}  // namespace cox::model::pim::fast
