// SPDX-License-Identifier: MIT
#include "tools/image/signed_file.h"

#include <cstring>
#include <filesystem>
#include <string_view>

#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/image/container.h"

namespace cox::tools {

namespace {
namespace image = firmware::image;
}

bool is_signed_file(std::span<const std::uint8_t> bytes) { return image::is_signed_image(std::as_bytes(bytes)); }

SignedParts signed_parts(std::span<const std::uint8_t> bytes, const std::string &file) {
  SignedParts parts{};
  image::SignedHeader &header = parts.header;
  if (bytes.size() < sizeof(header)) {
    fail_image(file, ErrorCode::image_truncated,
               std::to_string(bytes.size()) + " bytes, the header of a signed image alone has " + std::to_string(sizeof(header)));
  }
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.layout != image::kSignedLayout) {
    fail_image(file, ErrorCode::image_version,
               "layout " + std::to_string(header.layout) + " of signed images; this tool reads " + std::to_string(image::kSignedLayout));
  }
  if (header.algorithm != image::kEcdsaP256Sha256) {
    fail_image(file, ErrorCode::image_version,
               "signature algorithm " + std::to_string(header.algorithm) + "; this tool knows " + std::to_string(image::kEcdsaP256Sha256));
  }
  for (const std::uint32_t word : header.reserved) {
    if (word != 0) fail_image(file, ErrorCode::image_malformed, "a reserved word of the header of a signed image is not 0");
  }
  const std::uint64_t whole = sizeof(header) + std::uint64_t{header.payload_bytes} + image::kSignatureBytes;
  if (bytes.size() < whole) {
    fail_image(file, ErrorCode::image_truncated,
               "the signed image has " + std::to_string(bytes.size()) + " of " + std::to_string(whole) + " bytes");
  }
  if (bytes.size() > whole)
    fail_image(file, ErrorCode::image_malformed, std::to_string(bytes.size() - whole) + " bytes after the signature");
  parts.payload = bytes.subspan(sizeof(header), header.payload_bytes);
  parts.signature = bytes.last(image::kSignatureBytes);
  return parts;
}

std::string key_text(const image::KeyId &key) {
  constexpr const char *kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : key) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

std::vector<std::uint8_t> read_program_file(const std::string &path) {
  std::vector<std::uint8_t> bytes = read_file(path);
  if (!is_signed_file(bytes)) return bytes;
  const std::span<const std::uint8_t> payload = signed_parts(bytes, path).payload;
  return {payload.begin(), payload.end()};
}

std::vector<std::uint8_t> read_signed_file(const std::string &path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  std::vector<std::uint8_t> bytes = read_file(path);
  if (!is_signed_file(bytes)) bytes.clear();
  return bytes;
}

std::optional<std::string> signature_complaint(const Status &status) {
  const std::string name = error_name(status.code());
  switch (status.code()) {
    case ErrorCode::image_unsigned: return name + ": the firmware takes signed images only; cox sign signs it";
    case ErrorCode::unknown_key:
      return name +
             ": the firmware does not have the key that the image is signed with; sign it with another key, or give the firmware "
             "this one (cox run --keys, COX_SIGNING_KEYS of the build)";
    case ErrorCode::bad_signature: return name + ": the image is not the one that was signed; cox sign signs it again";
    case ErrorCode::rolled_back:
      if (std::string_view(status.what()) == "minimum_version") return name + ": the firmware's counter did not take the image's version";
      return name + ": the image has version " + std::to_string(status.value()) + ", and the firmware takes " +
             std::to_string(status.limit()) + " or higher of this key; use a later release, or sign it with a higher --version";
    case ErrorCode::unsupported:
      if (std::string_view(status.what()) != "signed images") return std::nullopt;
      return name + ": the firmware has no keys for signed images; give it the public key: --keys natively, COX_SIGNING_KEYS of its build";
    default: return std::nullopt;
  }
}

}  // namespace cox::tools
