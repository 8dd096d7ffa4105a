// SPDX-License-Identifier: MIT
// Bytes made into a task image whose header is right, so that what is fuzzed gets past the checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cox::fuzz {

/// An image at an address aligned as the loader wants it, of exactly its size on the heap, so that a read past its end is seen.
class Image {
 public:
  Image(const std::uint8_t *data, std::size_t size);
  ~Image();
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;

  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

/// Magic, version, length and checksum made right; nothing where there is no room for a header.
void seal(std::span<std::byte> image);

}  // namespace cox::fuzz
