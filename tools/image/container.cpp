// SPDX-License-Identifier: MIT
#include "tools/image/container.h"

#include <algorithm>
#include <cstring>

#include "coxswain/base/crc32.h"
#include "coxswain/firmware/image/image_header.h"
#include "tools/file/error.h"

namespace cox::tools {
namespace {

namespace image = firmware::image;

std::uint32_t checksum(std::span<const std::uint8_t> payload) { return crc32(std::as_bytes(payload)); }

/// Checks the header and returns the payload.
std::span<const std::uint8_t> check_header(std::span<const std::uint8_t> bytes, std::uint32_t version, const std::string &file) {
  image::ImageHeader header{};
  if (bytes.size() < sizeof(header)) {
    fail_image(file, ErrorCode::image_truncated,
               std::to_string(bytes.size()) + " bytes, the header alone has " + std::to_string(sizeof(header)));
  }
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != image::kMagic) fail_image(file, ErrorCode::image_magic, "not a task image");
  if (header.version != version) {
    fail_image(file, ErrorCode::image_version,
               "version " + std::to_string(header.version) + ", this tool reads " + std::to_string(version));
  }
  const std::span<const std::uint8_t> payload = bytes.subspan(sizeof(header));
  if (payload.size() < header.payload_bytes) {
    fail_image(file, ErrorCode::image_truncated,
               "the payload has " + std::to_string(payload.size()) + " of " + std::to_string(header.payload_bytes) + " bytes");
  }
  if (payload.size() > header.payload_bytes) {
    fail_image(file, ErrorCode::image_malformed, std::to_string(payload.size() - header.payload_bytes) + " bytes after the payload");
  }
  if (checksum(payload) != header.payload_crc32) fail_image(file, ErrorCode::image_checksum, "the payload is not what was written");
  return payload;
}

}  // namespace

void fail_image(const std::string &file, ErrorCode code, const std::string &why) {
  throw FileError(file + ": " + error_name(code) + ": " + why, code);
}

bool is_image(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= sizeof(image::kMagic) && std::memcmp(bytes.data(), &image::kMagic, sizeof(image::kMagic)) == 0;
}

bool is_program_image(std::span<const std::uint8_t> bytes) {
  image::ImageHeader header{};
  if (!is_image(bytes) || bytes.size() < sizeof(header)) return false;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header.version == image::kProgramVersion;
}

std::vector<std::uint8_t> seal_image(std::span<const std::uint8_t> payload, std::uint32_t version) {
  const image::ImageHeader header{image::kMagic, version, static_cast<std::uint32_t>(payload.size()), checksum(payload)};
  std::vector<std::uint8_t> bytes(sizeof(header) + payload.size());
  std::memcpy(bytes.data(), &header, sizeof(header));
  std::copy(payload.begin(), payload.end(), bytes.begin() + sizeof(header));
  return bytes;
}

OpenImage::OpenImage(std::span<const std::uint8_t> bytes, std::uint32_t version, const std::string &file) {
  const std::span<const std::uint8_t> payload = check_header(bytes, version, file);
  // The FlatBuffers verifier checks the alignment of addresses. The payload in `bytes` need not be aligned, but its copy is.
  aligned_.assign(payload.begin(), payload.end());
  flatbuffers::Verifier verifier(aligned_.data(), aligned_.size());
  if (!image::VerifyTaskBuffer(verifier)) fail_image(file, ErrorCode::image_malformed, "the FlatBuffer does not verify");
}

}  // namespace cox::tools
