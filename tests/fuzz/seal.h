// SPDX-License-Identifier: MIT
// Makes task images with a valid header from fuzzed bytes. Without it, the loader would refuse nearly all of them for their checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cox::fuzz {

/// An image on the heap, aligned as the loader needs. The allocation is exactly as large as the image, so that sanitizers detect a read
/// past its end.
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

/// Sets magic, length, checksum, and version. The version stays if it is that of programs of streams. Does nothing if there is no room for
/// a header.
void seal(std::span<std::byte> image);

}  // namespace cox::fuzz
