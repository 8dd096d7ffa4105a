// SPDX-License-Identifier: MIT
// Maps as plain memory: where the pixels of an operation lie together in host memory they are used in place; where they wrap around a
// region's end, cannot be mapped, or lie under the destination, they go through a copy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/tile/operation.h"
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

/// Addresses from the lowest to one past the highest byte.
struct Extent {
  std::int64_t low = 0, high = 0;

  [[nodiscard]] std::int64_t bytes() const { return high - low; }
};

[[nodiscard]] Extent extent_of(const isa::tile::Map &map, const Box &box);

/// An extent in host memory, to be read.
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

/// A box of a map in host memory, to be written. What has been written counts after `commit`.
class Destination {
 public:
  /// Staged where it overlaps `source` or `source1`, so that these can be read until `commit`.
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
