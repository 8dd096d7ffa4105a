// SPDX-License-Identifier: MIT
// Views of the memories that an operation accesses. The addresses that an instruction contains are addresses in a view. In a view of a
// region of L2, addresses wrap. In all other views, a read outside of the view returns 0, and a write there is dropped.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/tile/configuration.h"

namespace cox::model::arithmetic {

/// A view of memory that belongs to another object. Cheap to copy. Addresses and sizes are in bytes.
class Memory {
 public:
  /// Copies by calls, for memory that cannot be mapped. The callee records errors (for example a bus error) through its `opaque`.
  struct Transfer {
    void *opaque = nullptr;
    void (*read)(void *opaque, std::int64_t address, void *data, std::int64_t size) = nullptr;
    void (*write)(void *opaque, std::int64_t address, const void *data, std::int64_t size) = nullptr;
  };

  /// A view without bytes: reads return 0.
  Memory() = default;

  /// A view with the addresses first to first + size - 1. `bytes` points to the byte at `first`. WL0 has first = 0. A part of a DRAM window
  /// may have any `first`.
  [[nodiscard]] static Memory linear(std::byte *bytes, std::int64_t first, std::int64_t size);
  /// A view of a region in the L2 buffer that begins at `l2`. Addresses wrap at both ends of the region (docs/isa/tile.md, L2).
  [[nodiscard]] static Memory circular(std::byte *l2, const isa::tile::Region &region);
  /// A view with the addresses first to first + size - 1. Every access calls a function of `transfer`.
  [[nodiscard]] static Memory transfer(const Transfer &transfer, std::int64_t first, std::int64_t size);

  /// A pointer to `size` bytes from `address` if they are contiguous in host memory, otherwise nullptr.
  [[nodiscard]] std::byte *contiguous(std::int64_t address, std::int64_t size) const;

  void read(std::int64_t address, void *data, std::int64_t size) const;
  void write(std::int64_t address, const void *data, std::int64_t size) const;

 private:
  enum class Kind : std::uint8_t { linear, circular, transfer };

  Memory(Kind kind, std::byte *bytes, std::int64_t first, std::int64_t size, const Transfer &transfer)
      : bytes_(bytes), first_(first), size_(size > 0 ? size : 0), transfer_(transfer), kind_(kind) {}

  /// The first part of an access. This part is either contiguous and inside of the view, or entirely outside.
  struct Piece {
    std::int64_t offset = 0;  ///< distance from first_; has no meaning if the part is outside
    std::int64_t size = 0;
    bool inside = false;
  };
  [[nodiscard]] Piece piece(std::int64_t address, std::int64_t size) const;

  std::byte *bytes_ = nullptr;
  std::int64_t first_ = 0;
  std::int64_t size_ = 0;
  Transfer transfer_{};
  Kind kind_ = Kind::linear;
};

}  // namespace cox::model::arithmetic
