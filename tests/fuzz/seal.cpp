// SPDX-License-Identifier: MIT
#include "tests/fuzz/seal.h"

#include <cstring>
#include <new>

#include "coxswain/base/crc32.h"
#include "coxswain/firmware/image/image_header.h"
#include "coxswain/firmware/image/loader.h"

namespace cox::fuzz {

namespace image = firmware::image;

Image::Image(const std::uint8_t *data, std::size_t size)
    : bytes_(static_cast<std::byte *>(::operator new (size, std::align_val_t{image::kImageAlignment})), size) {
  if (size != 0) std::memcpy(bytes_.data(), data, size);
}

Image::~Image() { ::operator delete (bytes_.data(), std::align_val_t{image::kImageAlignment}); }

void seal(std::span<std::byte> image) {
  if (image.size() < sizeof(image::ImageHeader)) return;
  const std::span<const std::byte> payload = image.subspan(sizeof(image::ImageHeader));
  image::ImageHeader header;
  std::memcpy(&header, image.data(), sizeof(header));
  const std::uint32_t version = header.version == image::kProgramVersion ? image::kProgramVersion : image::kVersion;
  header = {image::kMagic, version, static_cast<std::uint32_t>(payload.size()), crc32(payload)};
  std::memcpy(image.data(), &header, sizeof(header));
}

}  // namespace cox::fuzz
