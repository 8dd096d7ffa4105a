// SPDX-License-Identifier: MIT
// Reads and checks signed images, from MCUboot's design document (docs/flashing.md, MCUboot). It shares nothing with sign.h but the keys,
// so that a mistake of the writer is not repeated here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/flash/image_version.h"
#include "tools/flash/key.h"

namespace cox::tools::flash {

/// A signed image, taken apart. Parts are views of the file.
struct SignedImage {
  SignedVersion version;
  std::size_t header_bytes = 0;
  std::span<const std::uint8_t> image;         ///< from the vectors on
  std::span<const std::uint8_t> signed_bytes;  ///< what the digest is of: header, image, protected TLVs
  std::optional<std::uint32_t> security_counter;
  std::span<const std::uint8_t> digest, key_hash, signature;  ///< as the file has them; empty if it has none
  KeyKind kind = KeyKind::ed25519;                            ///< of the signature
  std::size_t padding = 0;                                    ///< bytes behind the TLVs
  bool trailer = false;                                       ///< the padding ends with MCUboot's trailer
};

[[nodiscard]] bool is_signed(std::span<const std::uint8_t> file);

/// Takes a file apart without checking its digest and signature. Throws FileError if it is no signed image, is truncated or contradicts
/// itself.
[[nodiscard]] SignedImage parse_signed(std::span<const std::uint8_t> file, const std::string &name);

struct Requirements {
  std::optional<SignedVersion> least_version;
  std::optional<std::uint32_t> least_counter;
};
/// Checks digest, signature, version and security counter. Throws Failure(bad_task) with what is wrong. `key_name` is for messages.
void verify(const SignedImage &image, const std::string &name, const Key &key, const std::string &key_name,
            const Requirements &requirements);

}  // namespace cox::tools::flash
