// SPDX-License-Identifier: MIT
// The effect of the matrix unit's operations on its buffers (docs/isa/cube.md). The reference follows the specification one element after
// another; the fast path gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "coxswain/isa/cube/operation.h"

namespace cox::model::cube {

enum class Path : std::uint8_t { reference, fast };

/// An allocator of memory that is aligned to cache lines, because a row of 16 accumulators fills a line.
template <typename T>
struct CacheLines {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  CacheLines() = default;
  template <typename Other>
  explicit CacheLines(const CacheLines<Other> & /*other*/) {}
  T *allocate(std::size_t count) { return static_cast<T *>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T *memory, std::size_t /*count*/) { ::operator delete(memory, kAlignment); }
  friend bool operator==(const CacheLines &, const CacheLines &) { return true; }
};
using Buffer = std::vector<std::byte, CacheLines<std::byte>>;

/// The unit's buffers with the sizes of isa/cube/layout.h.
struct Buffers {
  Buffer l1, l0a, l0b, l0c, bias_table;

  Buffers()
      : l1(isa::cube::kL1Bytes),
        l0a(isa::cube::kL0ABytes),
        l0b(isa::cube::kL0BBytes),
        l0c(isa::cube::kL0CBytes),
        bias_table(isa::cube::kBiasTableBytes) {}
  [[nodiscard]] std::byte *of(isa::cube::Memory memory);  ///< nullptr for DRAM
};

/// Executes the operation, which must have passed isa::cube::resolve(). Rounding, accumulation order, NaN and saturation are those of
/// docs/isa/cube.md. For DRAM_TO_L1 and L0C_TO_DRAM, `dram` points to the lowest byte of DRAM that the operation accesses, and the rows
/// are as far apart as the operation says. For other operations, `dram` is nullptr. No alignment is assumed.
void execute(const isa::cube::Operation &operation, Buffers &buffers, std::byte *dram, Path path);

}  // namespace cox::model::cube
