// SPDX-License-Identifier: MIT
#include "tools/sign/keys.h"

#include <bearssl.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "coxswain/firmware/signature/p256_verification.h"
#include "coxswain/firmware/signature/verification.h"
#include "tools/command/failure.h"
#include "tools/file/error.h"
#include "tools/file/file.h"

namespace cox::tools::sign {
namespace {

using firmware::signature::kKeyPrefix;

constexpr std::size_t kScalarBytes = 32;
constexpr const char *kOtherCurve = ": is no key of the curve P-256; cox keygen makes one";

struct PemObject {
  std::string name;  ///< for example PRIVATE KEY
  std::vector<std::uint8_t> der;
};

/// Returns the complete objects of a PEM file.
std::vector<PemObject> pem_objects(const std::vector<std::uint8_t> &file) {
  std::vector<PemObject> objects;
  PemObject object;
  br_pem_decoder_context decoder;
  br_pem_decoder_init(&decoder);
  const auto append = [](void *to, const void *bytes, std::size_t count) {
    const auto *first = static_cast<const std::uint8_t *>(bytes);
    static_cast<PemObject *>(to)->der.insert(static_cast<PemObject *>(to)->der.end(), first, first + count);
  };
  for (std::size_t next = 0; next < file.size();) {
    next += br_pem_decoder_push(&decoder, &file[next], file.size() - next);
    switch (br_pem_decoder_event(&decoder)) {
      case BR_PEM_BEGIN_OBJ:
        object = {br_pem_decoder_name(&decoder), {}};
        br_pem_decoder_setdest(&decoder, append, &object);
        break;
      case BR_PEM_END_OBJ: objects.push_back(object); break;
      case BR_PEM_ERROR: return objects;
      default: break;
    }
  }
  return objects;
}

std::string pem_of(std::span<const std::uint8_t> der, const char *name) {
  std::string text(br_pem_encode(nullptr, nullptr, der.size(), name, BR_PEM_LINE64), '\0');
  br_pem_encode(text.data(), der.data(), der.size(), name, BR_PEM_LINE64);  // writes text.size() characters and a zero
  return text;
}

/// Throws FileError about a file without the wanted object.
[[noreturn]] void refuse(const std::string &path, const std::vector<PemObject> &objects, const char *wanted) {
  for (const PemObject &object : objects) {
    if (object.name.starts_with("ENCRYPTED"))
      throw FileError(path + ": is encrypted; openssl pkey -in " + path + " -out KEY.pem writes it without a password");
  }
  throw FileError(path + ": is no PEM file with a " + wanted + "; cox keygen makes a pair");
}

std::optional<std::array<std::uint8_t, kScalarBytes>> scalar_of(const PemObject &object, const std::string &path) {
  if (object.name != "PRIVATE KEY" && object.name != "EC PRIVATE KEY") return std::nullopt;
  br_skey_decoder_context decoder;
  br_skey_decoder_init(&decoder);
  br_skey_decoder_push(&decoder, object.der.data(), object.der.size());
  const br_ec_private_key *key = br_skey_decoder_get_ec(&decoder);
  if (br_skey_decoder_last_error(&decoder) != 0 || key == nullptr || key->curve != BR_EC_secp256r1 || key->xlen > kScalarBytes)
    throw FileError(path + kOtherCurve);
  std::array<std::uint8_t, kScalarBytes> scalar{};
  std::memcpy(&scalar[kScalarBytes - key->xlen], key->x, key->xlen);
  return scalar;
}

Point point_of(const std::array<std::uint8_t, kScalarBytes> &scalar, const std::string &path) {
  std::array<std::uint8_t, kScalarBytes> copy = scalar;
  const br_ec_private_key key = {BR_EC_secp256r1, copy.data(), copy.size()};
  std::array<std::uint8_t, 1 + sizeof(Point)> encoded{};
  br_ec_public_key made{};
  Point point{};
  if (br_ec_compute_pub(&br_ec_p256_m31, &made, encoded.data(), &key) == encoded.size())
    std::memcpy(point.data(), &encoded[1], point.size());
  if (!cox_p256_is_key(point.data())) throw FileError(path + kOtherCurve);  // a scalar of 0
  return point;
}

}  // namespace

PrivateKey PrivateKey::generate() {
  const char *source = nullptr;
  const br_prng_seeder seeder = br_prng_seeder_system(&source);
  br_hmac_drbg_context random;
  br_hmac_drbg_init(&random, &br_sha256_vtable, nullptr, 0);
  PrivateKey key;
  br_ec_private_key made{};
  if (seeder == nullptr || seeder(&random.vtable) == 0 ||
      br_ec_keygen(&random.vtable, &br_ec_p256_m31, &made, key.scalar_.data(), BR_EC_secp256r1) != kScalarBytes) {
    throw Failure(ExitCode::failed, "this system has no source of random numbers for a key");
  }
  key.point_ = point_of(key.scalar_, "the new key");
  return key;
}

PrivateKey PrivateKey::read(const std::string &path) {
  const std::vector<PemObject> objects = pem_objects(read_file(path));
  for (const PemObject &object : objects) {
    if (const auto scalar = scalar_of(object, path)) {
      PrivateKey key;
      key.scalar_ = *scalar;
      key.point_ = point_of(*scalar, path);
      return key;
    }
  }
  refuse(path, objects, "private key");
}

std::string PrivateKey::pem() const {
  std::array<std::uint8_t, kScalarBytes> scalar = scalar_;
  std::array<std::uint8_t, 1 + sizeof(Point)> encoded{4};
  std::ranges::copy(point_, encoded.begin() + 1);
  const br_ec_private_key secret = {BR_EC_secp256r1, scalar.data(), scalar.size()};
  const br_ec_public_key open = {BR_EC_secp256r1, encoded.data(), encoded.size()};
  std::vector<std::uint8_t> der(br_encode_ec_pkcs8_der(nullptr, &secret, &open));
  br_encode_ec_pkcs8_der(der.data(), &secret, &open);
  return pem_of(der, BR_ENCODE_PEM_PKCS8);
}

Signature PrivateKey::sign(std::span<const std::uint8_t> bytes) const {
  br_sha256_context hash;
  br_sha256_init(&hash);
  br_sha256_update(&hash, bytes.data(), bytes.size());
  std::array<std::uint8_t, 32> digest{};
  br_sha256_out(&hash, digest.data());
  std::array<std::uint8_t, kScalarBytes> scalar = scalar_;
  const br_ec_private_key key = {BR_EC_secp256r1, scalar.data(), scalar.size()};
  Signature signature{};
  br_ecdsa_i31_sign_raw(&br_ec_p256_m31, &br_sha256_vtable, digest.data(), &key, signature.data());
  return signature;
}

Point read_public_key(const std::string &path) {
  const std::vector<PemObject> objects = pem_objects(read_file(path));
  for (const PemObject &object : objects) {
    if (const auto scalar = scalar_of(object, path)) return point_of(*scalar, path);
    if (object.name != "PUBLIC KEY") continue;
    Point point{};
    if (object.der.size() != kKeyPrefix.size() + point.size() ||
        !std::ranges::equal(kKeyPrefix, std::span(object.der).first(kKeyPrefix.size())))
      throw FileError(path + kOtherCurve);
    std::ranges::copy(std::span(object.der).last(point.size()), point.begin());
    if (!cox_p256_is_key(point.data())) throw FileError(path + ": the key is no point of its curve; the file is damaged");
    return point;
  }
  refuse(path, objects, "public key");
}

std::string public_pem(const Point &point) {
  std::vector<std::uint8_t> der(kKeyPrefix.begin(), kKeyPrefix.end());
  der.insert(der.end(), point.begin(), point.end());
  return pem_of(der, "PUBLIC KEY");
}

cox_public_key public_key(const Point &point) {
  cox_public_key key{};
  std::ranges::copy(point, std::begin(key.point));
  return key;
}

}  // namespace cox::tools::sign
