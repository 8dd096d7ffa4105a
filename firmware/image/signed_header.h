// SPDX-License-Identifier: MIT
// A signed image: this header, the payload, and the signature of both (docs/signing.md). The payload is a task image.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace cox::firmware::image {

inline constexpr std::uint32_t kSignedMagic = 0x31535843;  ///< "CXS1" in memory
inline constexpr std::uint32_t kSignedLayout = 1;
/// ECDSA with the curve P-256 over the SHA-256 of header and payload. The signature is r and s, 32 bytes each, big-endian.
inline constexpr std::uint32_t kEcdsaP256Sha256 = 1;
inline constexpr std::size_t kSignatureBytes = 64;

using KeyId = std::array<std::uint8_t, 32>;  ///< SHA-256 of the public key as a DER SubjectPublicKeyInfo

/// Little-endian. The payload begins at a multiple of 64 bytes, as programs of engines need it.
struct SignedHeader {
  std::uint32_t magic;
  std::uint32_t layout;  ///< kSignedLayout
  std::uint32_t algorithm;
  std::uint32_t version;  ///< never decreases from release to release; the loader's policy refuses lower ones
  std::uint32_t payload_bytes;
  std::uint32_t reserved[3];  ///< 0
  KeyId key_id;
};
static_assert(sizeof(SignedHeader) == 64 && offsetof(SignedHeader, key_id) == 32);

/// Returns true if the bytes begin like a signed image.
[[nodiscard]] inline bool is_signed_image(std::span<const std::byte> image) {
  return image.size() >= sizeof(kSignedMagic) && std::memcmp(image.data(), &kSignedMagic, sizeof(kSignedMagic)) == 0;
}

}  // namespace cox::firmware::image
