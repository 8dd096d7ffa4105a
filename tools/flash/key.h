// SPDX-License-Identifier: MIT
// Keys for signed images: Ed25519 or ECDSA on P-256, in PEM files as imgtool and OpenSSL write them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct evp_pkey_st;

namespace cox::tools::flash {

enum class KeyKind : std::uint8_t { ed25519, ecdsa_p256 };
inline constexpr const char *kKeyKindNames[] = {"ed25519", "ecdsa-p256"};

using Digest = std::array<std::uint8_t, 32>;
[[nodiscard]] Digest sha256(std::span<const std::uint8_t> bytes);

class Key {
 public:
  /// Makes a key of random numbers.
  [[nodiscard]] static Key make(KeyKind kind);
  /// Read a PEM file. read_public() takes private keys too. Throw FileError, also for a key of another kind.
  [[nodiscard]] static Key read_private(const std::string &path);
  [[nodiscard]] static Key read_public(const std::string &path);

  [[nodiscard]] KeyKind kind() const { return kind_; }
  /// Return the key as PEM.
  [[nodiscard]] std::string private_pem() const;
  [[nodiscard]] std::string public_pem() const;
  /// Returns the public key as DER (SubjectPublicKeyInfo), of which an image has the SHA-256.
  [[nodiscard]] std::vector<std::uint8_t> public_der() const;

  /// Sign or check the SHA-256 of an image, as MCUboot does: Ed25519 takes the digest as its message, ECDSA takes it as the digest.
  [[nodiscard]] std::vector<std::uint8_t> sign(const Digest &digest) const;
  [[nodiscard]] bool verifies(const Digest &digest, std::span<const std::uint8_t> signature) const;

 private:
  Key(std::shared_ptr<evp_pkey_st> key, KeyKind kind) : key_(std::move(key)), kind_(kind) {}
  static Key checked(evp_pkey_st *key, const std::string &path, const char *what);

  std::shared_ptr<evp_pkey_st> key_;
  KeyKind kind_;
};

}  // namespace cox::tools::flash
