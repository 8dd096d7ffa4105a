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

/// Place of an address in a container: a byte offset, a multiple of 4, and in the lowest two bits its width.
class AddressPlace {
 public:
  enum class Width : std::uint8_t {
    bits32 = 0,
    bits64 = 1,
    bits48 = 2,  ///< in a slot of the matrix unit
  };

  explicit constexpr AddressPlace(std::uint32_t place) : place_(place) {}
  constexpr AddressPlace(std::uint32_t offset, bool wide) : AddressPlace(offset, wide ? Width::bits64 : Width::bits32) {}
  constexpr AddressPlace(std::uint32_t offset, Width width) : place_(offset | static_cast<std::uint32_t>(width)) {}

  [[nodiscard]] constexpr std::uint32_t packed() const { return place_; }
  [[nodiscard]] constexpr std::uint32_t offset() const { return place_ & ~3U; }
  [[nodiscard]] constexpr Width width() const { return static_cast<Width>(place_ & 3); }
  [[nodiscard]] constexpr std::size_t bytes() const { return width() == Width::bits32 ? 4 : width() == Width::bits64 ? 8 : 6; }
  /// False for a width that does not exist, too.
  [[nodiscard]] constexpr bool lies_in(std::size_t size) const {
    return (place_ & 3) != 3 && bytes() <= size && offset() <= size - bytes();
  }
  /// Writes the low bits of `address`. The place lies in `container`.
  void write(std::span<std::byte> container, std::uint64_t address) const { std::memcpy(&container[offset()], &address, bytes()); }

 private:
  std::uint32_t place_;
};

}  // namespace cox::isa::unity
