// SPDX-License-Identifier: MIT
// Signed images as files (docs/signing.md). Nothing here verifies a signature: tools/sign does, and the loader.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coxswain/base/status.h"
#include "coxswain/firmware/image/signed_header.h"

namespace cox::tools {

/// Returns true if the file begins like a signed image.
[[nodiscard]] bool is_signed_file(std::span<const std::uint8_t> bytes);

/// The parts of a signed image.
struct SignedParts {
  firmware::image::SignedHeader header;
  std::span<const std::uint8_t> payload, signature;
};
/// Throws FileError with the code image_truncated, image_version or image_malformed. `file` is for messages.
[[nodiscard]] SignedParts signed_parts(std::span<const std::uint8_t> bytes, const std::string &file);

/// Returns the key's identifier in hexadecimal digits.
[[nodiscard]] std::string key_text(const firmware::image::KeyId &key);

/// Reads the file of a program. If it is a signed image, the result is its payload. Throws FileError.
[[nodiscard]] std::vector<std::uint8_t> read_program_file(const std::string &path);

/// Returns the file's bytes if it is a signed image, and nothing for another file. Throws FileError.
[[nodiscard]] std::vector<std::uint8_t> read_signed_file(const std::string &path);

/// Returns a sentence about a load that was refused because of a signature, with its mend. Returns nullopt for other errors.
[[nodiscard]] std::optional<std::string> signature_complaint(const Status &status);

}  // namespace cox::tools
