// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace cox::board {

/// Zeroed memory of this process at a fixed address, so that device addresses are pointers (docs/design.md, Memory map).
class FixedMemory {
 public:
  FixedMemory() = default;
  ~FixedMemory();
  FixedMemory(const FixedMemory &) = delete;
  FixedMemory &operator=(const FixedMemory &) = delete;

  /// Maps `bytes`, a multiple of the page size, at `address`. Returns false with a sentence in `error` if that range is not free. Call it
  /// at most once for each FixedMemory.
  [[nodiscard]] bool map(const char *name, std::uint64_t address, std::size_t bytes, std::string &error);

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  /// Returns the memory at bus address `address`, or nullptr if [address, address + size) is not completely inside this memory.
  [[nodiscard]] std::byte *at(std::uint64_t address, std::uint64_t size) const;

 private:
  std::span<std::byte> bytes_;
};

}  // namespace cox::board
