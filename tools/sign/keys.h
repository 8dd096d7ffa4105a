// SPDX-License-Identifier: MIT
// Keys of signed images as PEM files, in the forms of OpenSSL: PKCS#8 (or SEC 1) for private keys, SubjectPublicKeyInfo for public ones.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "coxswain/firmware/cox_signature.h"
#include "coxswain/firmware/image/signed_header.h"

namespace cox::tools::sign {

using Point = std::array<std::uint8_t, 64>;  ///< x and y, 32 bytes each, big-endian
using Signature = std::array<std::uint8_t, firmware::image::kSignatureBytes>;

class PrivateKey {
 public:
  /// Makes a new key from random numbers of the system. Throws Failure if the system has none.
  [[nodiscard]] static PrivateKey generate();
  /// Reads a PEM file. Throws FileError.
  [[nodiscard]] static PrivateKey read(const std::string &path);

  [[nodiscard]] std::string pem() const;
  [[nodiscard]] const Point &point() const { return point_; }
  /// Returns the signature of these bytes. The same key and bytes always give the same signature (RFC 6979).
  [[nodiscard]] Signature sign(std::span<const std::uint8_t> bytes) const;

 private:
  PrivateKey() = default;

  std::array<std::uint8_t, 32> scalar_{};  ///< big-endian
  Point point_{};
};

/// Reads the public key in a PEM file; the file of a private key does, too. Throws FileError.
[[nodiscard]] Point read_public_key(const std::string &path);
[[nodiscard]] std::string public_pem(const Point &point);
/// Returns the key with minimum version 0.
[[nodiscard]] cox_public_key public_key(const Point &point);

}  // namespace cox::tools::sign
