// SPDX-License-Identifier: MIT
// Gives the fast path the pixels of a map as plain memory. If they are contiguous in host memory, they are used in place. If they wrap
// around the end of a region, cannot be mapped, or overlap the destination, they are copied.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/tile/operation.h"
#include "sim/model/tile/arithmetic/memory.h"
#include "sim/model/tile/arithmetic/scratch.h"

namespace cox::model::arithmetic {

/// The part of a map that an operation touches: `run` bytes of each pixel.
struct Box {
  std::int64_t images = 1;
  std::int64_t first_row = 0, rows = 0;
  std::int64_t first_column = 0, columns = 0;
  std::int64_t run = 0;

  [[nodiscard]] bool empty() const { return images <= 0 || rows <= 0 || columns <= 0 || run <= 0; }
};

/// Addresses from the lowest byte to one past the highest.
struct Extent {
  std::int64_t low = 0, high = 0;

  [[nodiscard]] std::int64_t bytes() const { return high - low; }
};

[[nodiscard]] Extent extent_of(const isa::tile::Map &map, const Box &box);

/// The bytes of an Extent in host memory, for reading.
class Source {
 public:
  Source() = default;
  Source(const Memory &memory, Extent extent, ScratchUse use);

  [[nodiscard]] const std::byte *at(std::int64_t address) const { return bytes_ + (address - extent_.low); }
  [[nodiscard]] bool overlaps(const std::byte *bytes, std::int64_t size) const;

 private:
  Extent extent_{};
  const std::byte *bytes_ = nullptr;
};

/// A box of a map in host memory, for writing. If the box is staged, commit() copies its bytes to the map.
class Destination {
 public:
  /// The box is staged if it overlaps `source` or `source1`, so that the sources stay unchanged until commit().
  Destination(const Memory &memory, const isa::tile::Map &map, const Box &box, const Source &source, const Source &source1);

  [[nodiscard]] std::byte *at(std::int64_t address) const { return bytes_ + (address - extent_.low); }
  void commit() const;

 private:
  const Memory &memory_;
  const isa::tile::Map &map_;
  Box box_;
  Extent extent_{};
  std::byte *bytes_ = nullptr;
  bool staged_ = false;
};

}  // namespace cox::model::arithmetic
