// SPDX-License-Identifier: MIT
// The memories of an operation, seen through the addresses of its instruction. No access reaches a byte that the view does not
// cover, whatever the address: a loop region wraps, a window answers 0 outside and drops what is written there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/tile/configuration.h"

namespace cox::model::arithmetic {

/// A view of memory that someone else owns. Cheap to copy. Addresses and sizes are in bytes.
class Memory {
 public:
  /// DMA by copy, for memory that cannot be mapped. The callee keeps what went wrong (a bus error) in its `opaque`.
  struct Transfer {
    void *opaque = nullptr;
    void (*read)(void *opaque, std::int64_t address, void *data, std::int64_t size) = nullptr;
    void (*write)(void *opaque, std::int64_t address, const void *data, std::int64_t size) = nullptr;
  };

  /// No bytes at all: reads 0.
  Memory() = default;

  /// Addresses first to first + size - 1; `bytes` is the byte at `first`. WL0 has first = 0; a part of a DRAM window begins anywhere.
  [[nodiscard]] static Memory linear(std::byte *bytes, std::int64_t first, std::int64_t size);
  /// A loop region of an L2 buffer whose byte 0 is `l2`: an address past the region's last byte goes on at its first, and one before
  /// its first at its last (docs/isa/tile.md, L2).
  [[nodiscard]] static Memory circular(std::byte *l2, const isa::tile::Region &region);
  /// Addresses first to first + size - 1, reached by calls.
  [[nodiscard]] static Memory transfer(const Transfer &transfer, std::int64_t first, std::int64_t size);

  /// A pointer to `size` bytes from `address` where they lie together in host memory, else nullptr.
  [[nodiscard]] std::byte *contiguous(std::int64_t address, std::int64_t size) const;

  void read(std::int64_t address, void *data, std::int64_t size) const;
  void write(std::int64_t address, const void *data, std::int64_t size) const;

 private:
  enum class Kind : std::uint8_t { linear, circular, transfer };

  Memory(Kind kind, std::byte *bytes, std::int64_t first, std::int64_t size, const Transfer &transfer)
      : bytes_(bytes), first_(first), size_(size > 0 ? size : 0), transfer_(transfer), kind_(kind) {}

  /// Of the `size` bytes from `address`: how many from the first are alike (all inside, lying together, or all outside), and where.
  struct Piece {
    std::int64_t offset = 0;  ///< from first_; of no meaning outside
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
