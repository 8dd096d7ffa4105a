// SPDX-License-Identifier: MIT
// Addresses in a container that depend on where it and its windows lie (docs/isa/unity.md, Containers).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace cox::isa::unity {

/// The window of a relocation whose address is one of the container's own bytes.
inline constexpr std::uint8_t kOwnBytes = 255;

/// Place of an address in a container: a byte offset, a multiple of 4; bit 0 is set if the address has 64 bits.
class AddressPlace {
 public:
  explicit constexpr AddressPlace(std::uint32_t place) : place_(place) {}
  constexpr AddressPlace(std::uint32_t offset, bool wide) : place_(offset | (wide ? 1U : 0U)) {}

  [[nodiscard]] constexpr std::uint32_t packed() const { return place_; }
  [[nodiscard]] constexpr std::uint32_t offset() const { return place_ & ~1U; }
  [[nodiscard]] constexpr std::size_t bytes() const { return (place_ & 1) != 0 ? 8 : 4; }
  /// False for offsets that are no multiple of 4, too.
  [[nodiscard]] constexpr bool lies_in(std::size_t size) const {
    return (place_ & 2) == 0 && bytes() <= size && offset() <= size - bytes();
  }
  /// Writes the low bits of `address`. The place lies in `container`.
  void write(std::span<std::byte> container, std::uint64_t address) const { std::memcpy(&container[offset()], &address, bytes()); }

 private:
  std::uint32_t place_;
};

}  // namespace cox::isa::unity
