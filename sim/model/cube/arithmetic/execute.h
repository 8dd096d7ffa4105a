// SPDX-License-Identifier: MIT
// What the matrix unit's operations do to its buffers (docs/isa/cube.md). The reference is written straight from the specification, one
// element after another; the fast path has the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "isa/cube/operation.h"

namespace cox::model::cube {

enum class Path : std::uint8_t { reference, fast };

/// Memory in whole cache lines: a row of accumulators is one.
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

/// The unit's buffers, each of the size that isa/cube/layout.h gives.
struct Buffers {
  Buffer l1, l0a, l0b, l0c, bias_table;

  Buffers()
      : l1(isa::cube::kL1Bytes),
        l0a(isa::cube::kL0ABytes),
        l0b(isa::cube::kL0BBytes),
        l0c(isa::cube::kL0CBytes),
        bias_table(isa::cube::kBiasTableBytes) {}
  [[nodiscard]] std::byte *of(isa::cube::Memory memory);  ///< not of DRAM: nullptr
};

/// Executes the operation, which has passed isa::cube::resolve(). `dram`: of DRAM_TO_L1 the bytes from its first access on, of L0C_TO_DRAM
/// likewise, laid out as isa::cube::footprint() says; else nullptr. No alignment is assumed. Rounding, accumulation order, NaN and
/// saturation as docs/isa/cube.md states them.
void execute(const isa::cube::Operation &operation, Buffers &buffers, std::byte *dram, Path path);

}  // namespace cox::model::cube
