// SPDX-License-Identifier: MIT
#include "tools/flash/key.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

#include <stdexcept>

#include "tools/file/error.h"
#include "tools/file/file.h"

namespace cox::tools::flash {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Context = std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

/// Throws if a function of the library fails that has no reason to fail.
void expect(bool done) {
  if (!done) throw std::runtime_error("OpenSSL");
}

Bio bio_of(const std::vector<std::uint8_t> &bytes) { return {BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())), BIO_free}; }

std::string text_in(const Bio &bio) {
  const char *text = nullptr;
  const long length = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(length)};
}

/// A file with a password is refused instead of asking for the password.
int no_password(char * /*buffer*/, int /*size*/, int /*writing*/, void * /*data*/) { return -1; }

}  // namespace

Digest sha256(std::span<const std::uint8_t> bytes) {
  Digest digest;
  SHA256(bytes.data(), bytes.size(), digest.data());
  return digest;
}

Key Key::checked(EVP_PKEY *key, const std::string &path, const char *what) {
  if (key == nullptr) {
    throw FileError(path + ": the file has no " + what + " in PEM form without a password; cox image-key makes one");
  }
  std::shared_ptr<EVP_PKEY> owned(key, EVP_PKEY_free);
  const int type = EVP_PKEY_get_base_id(key);
  if (type == EVP_PKEY_ED25519) return {owned, KeyKind::ed25519};
  std::array<char, 32> group{};
  if (type == EVP_PKEY_EC && EVP_PKEY_get_group_name(key, group.data(), group.size(), nullptr) == 1 &&
      std::string(group.data()) == "prime256v1") {
    return {owned, KeyKind::ecdsa_p256};
  }
  throw FileError(path + ": the key is neither Ed25519 nor ECDSA on P-256; cox image-key makes one");
}

Key Key::make(KeyKind kind) {
  EVP_PKEY *key = kind == KeyKind::ed25519 ? EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")
                                           : EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", static_cast<const char *>("P-256"));
  expect(key != nullptr);
  return checked(key, "", "");
}

Key Key::read_private(const std::string &path) {
  const std::vector<std::uint8_t> bytes = read_file(path);
  return checked(PEM_read_bio_PrivateKey(bio_of(bytes).get(), nullptr, no_password, nullptr), path, "private key");
}

Key Key::read_public(const std::string &path) {
  const std::vector<std::uint8_t> bytes = read_file(path);
  EVP_PKEY *key = PEM_read_bio_PUBKEY(bio_of(bytes).get(), nullptr, no_password, nullptr);
  if (key == nullptr) key = PEM_read_bio_PrivateKey(bio_of(bytes).get(), nullptr, no_password, nullptr);
  return checked(key, path, "public key");
}

std::string Key::private_pem() const {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free);
  expect(PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return text_in(bio);
}

std::string Key::public_pem() const {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free);
  expect(PEM_write_bio_PUBKEY(bio.get(), key_.get()) == 1);
  return text_in(bio);
}

std::vector<std::uint8_t> Key::public_der() const {
  const int size = i2d_PUBKEY(key_.get(), nullptr);
  expect(size > 0);
  std::vector<std::uint8_t> der(static_cast<std::size_t>(size));
  unsigned char *end = der.data();
  expect(i2d_PUBKEY(key_.get(), &end) == size);
  return der;
}

std::vector<std::uint8_t> Key::sign(const Digest &digest) const {
  std::vector<std::uint8_t> signature;
  std::size_t size = 0;
  if (kind_ == KeyKind::ed25519) {
    const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    expect(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1);
    expect(EVP_DigestSign(context.get(), nullptr, &size, digest.data(), digest.size()) == 1);
    signature.resize(size);
    expect(EVP_DigestSign(context.get(), signature.data(), &size, digest.data(), digest.size()) == 1);
  } else {
    const Context context(EVP_PKEY_CTX_new(key_.get(), nullptr), EVP_PKEY_CTX_free);
    expect(EVP_PKEY_sign_init(context.get()) == 1 && EVP_PKEY_CTX_set_signature_md(context.get(), EVP_sha256()) == 1);
    expect(EVP_PKEY_sign(context.get(), nullptr, &size, digest.data(), digest.size()) == 1);
    signature.resize(size);
    expect(EVP_PKEY_sign(context.get(), signature.data(), &size, digest.data(), digest.size()) == 1);
  }
  signature.resize(size);
  return signature;
}

bool Key::verifies(const Digest &digest, std::span<const std::uint8_t> signature) const {
  if (kind_ == KeyKind::ed25519) {
    const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    expect(EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1);
    return EVP_DigestVerify(context.get(), signature.data(), signature.size(), digest.data(), digest.size()) == 1;
  }
  const Context context(EVP_PKEY_CTX_new(key_.get(), nullptr), EVP_PKEY_CTX_free);
  expect(EVP_PKEY_verify_init(context.get()) == 1 && EVP_PKEY_CTX_set_signature_md(context.get(), EVP_sha256()) == 1);
  return EVP_PKEY_verify(context.get(), signature.data(), signature.size(), digest.data(), digest.size()) == 1;
}

}  // namespace cox::tools::flash
