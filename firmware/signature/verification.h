// SPDX-License-Identifier: MIT
// Verifies one signed image in steps: its header, its SHA-256, its signature (docs/signing.md). Firmware and tools use it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/cox_signature.h"
#include "coxswain/firmware/image/signed_header.h"
#include "coxswain/firmware/load/budget.h"
#include "coxswain/firmware/signature/p256_verification.h"

namespace cox::firmware::signature {

/// The bytes of a public key as a DER SubjectPublicKeyInfo before x and y: id-ecPublicKey, prime256v1, an uncompressed point.
inline constexpr std::array<std::uint8_t, 27> kKeyPrefix = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48,
                                                            0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
                                                            0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};

using Keys = std::span<const cox_public_key>;

/// Returns the identifier that headers of signed images have for a key.
[[nodiscard]] image::KeyId key_id(const cox_public_key &key);

class Verification {
 public:
  /// Begins to verify `image`. If `copy` is not empty, the image is copied to it, and what is verified is the copy. Both must outlive the
  /// last step. Errors of this function and of step():
  /// - image_truncated ("header", "payload_bytes" or "signature"): `value` is the number of bytes that are there, `limit` of those that
  ///   should be; image_magic; image_version ("layout" or "algorithm");
  /// - image_malformed ("reserved" if a reserved word is not 0, "payload_bytes" if bytes follow the signature);
  /// - unknown_key ("key_id"): no key has the identifier in the header;
  /// - bad_signature ("signature").
  [[nodiscard]] Status begin(std::span<const std::byte> image, std::span<std::byte> copy, Keys keys);
  /// Works until the verification is complete or the budget is used.
  [[nodiscard]] Status step(load::Budget &budget);
  [[nodiscard]] bool done() const { return phase_ == Phase::done; }

  /// The payload, the number of its key, and its version, when done() is true.
  [[nodiscard]] std::span<const std::byte> payload() const;
  [[nodiscard]] std::uint32_t key() const { return key_; }
  [[nodiscard]] std::uint32_t version() const { return header_.version; }

 private:
  enum class Phase : std::uint8_t { hash, signature, done };

  void hash(load::Budget &budget);
  void add_to_hash(std::span<const std::byte> bytes);
  void begin_signature();

  std::span<const std::byte> image_;
  std::span<std::byte> copy_;
  Keys keys_;
  image::SignedHeader header_{};
  std::uint32_t key_ = 0;
  std::size_t hashed_ = 0;  ///< bytes of header and payload
  std::size_t signed_ = 0;  ///< bytes of header and payload that are signed
  /// A br_sha256_context. Programs that include this header need not have BearSSL's.
  alignas(std::uint64_t) std::array<std::byte, 112> hash_{};
  cox_p256_verification curve_{};
  Phase phase_ = Phase::done;
};

}  // namespace cox::firmware::signature
