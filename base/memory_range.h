// SPDX-License-Identifier: MIT
// A range of memory by its bus address.
#pragma once

#include <cstdint>

namespace cox {

/// A range of memory that begins at a bus address. If the size is 0, there is no memory.
struct MemoryRange {
  std::uint64_t address = 0;
  std::uint64_t size = 0;  ///< bytes

  /// The first address behind the range, or 0 if the range ends at the top of the address space.
  [[nodiscard]] constexpr std::uint64_t end() const { return address + size; }
  [[nodiscard]] constexpr bool overlaps(const MemoryRange &other) const {
    return size != 0 && other.size != 0 && address < other.end() && other.address < end();
  }
  /// The comparisons cannot overflow for any values of `other`.
  [[nodiscard]] constexpr bool contains(const MemoryRange &other) const {
    return other.address >= address && other.address - address <= size && other.size <= size - (other.address - address);
  }
};

}  // namespace cox
