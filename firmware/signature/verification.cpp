// SPDX-License-Identifier: MIT
#include "coxswain/firmware/signature/verification.h"

#include <bearssl_hash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "coxswain/hal/cache.h"

extern "C" {
// Adds a block of 64 bytes to a hash. It is not in BearSSL's public header, whose function copies each block first.
void br_sha2small_round(const unsigned char *block, std::uint32_t *state);
}

namespace cox::firmware::signature {

using image::SignedHeader;

namespace {

constexpr std::size_t kBlock = 64;      // bytes of a block of SHA-256
constexpr std::size_t kPiece = 1024;    // bytes between two looks at the budget
constexpr std::int32_t kByteCost = 37;  // estimated control-core instructions to hash a byte
constexpr std::int32_t kCopyCost = 1;   // to copy it

br_sha256_context *context_in(std::array<std::byte, 112> &bytes) {
  static_assert(sizeof(br_sha256_context) <= sizeof(bytes) && std::is_trivial_v<br_sha256_context>);
  return reinterpret_cast<br_sha256_context *>(bytes.data());
}

Status truncated(const char *what, std::size_t there, std::uint64_t needed) {
  return {ErrorCode::image_truncated, what, -1, static_cast<std::int64_t>(there), signed_of(needed)};
}

/// Checks a header without its key. `bytes` is the size of the image.
Status check_header(const SignedHeader &header, std::size_t bytes) {
  if (header.magic != image::kSignedMagic) return {ErrorCode::image_magic, "magic", -1, header.magic, image::kSignedMagic};
  if (header.layout != image::kSignedLayout) return {ErrorCode::image_version, "layout", -1, header.layout, image::kSignedLayout};
  if (header.algorithm != image::kEcdsaP256Sha256) {
    return {ErrorCode::image_version, "algorithm", -1, header.algorithm, image::kEcdsaP256Sha256};
  }
  for (const std::uint32_t word : header.reserved) {
    if (word != 0) return {ErrorCode::image_malformed, "reserved", -1, word};
  }
  const std::size_t rest = bytes - sizeof(SignedHeader);
  if (rest < header.payload_bytes) return truncated("payload_bytes", rest, header.payload_bytes);
  if (const std::size_t behind = rest - header.payload_bytes; behind < image::kSignatureBytes) {
    return truncated("signature", behind, image::kSignatureBytes);
  } else if (behind > image::kSignatureBytes) {
    return {ErrorCode::image_malformed, "payload_bytes", -1, static_cast<std::int64_t>(rest),
            signed_of(std::uint64_t{header.payload_bytes} + image::kSignatureBytes)};
  }
  return {};
}

}  // namespace

image::KeyId key_id(const cox_public_key &key) {
  br_sha256_context hash;
  br_sha256_init(&hash);
  br_sha256_update(&hash, kKeyPrefix.data(), kKeyPrefix.size());
  br_sha256_update(&hash, key.point, sizeof(key.point));
  image::KeyId id{};
  br_sha256_out(&hash, id.data());
  return id;
}

Status Verification::begin(std::span<const std::byte> image, std::span<std::byte> copy, Keys keys) {
  phase_ = Phase::done;
  if (image.size() < sizeof(SignedHeader)) return truncated("header", image.size(), sizeof(SignedHeader));
  if (!copy.empty() && copy.size() != image.size()) return {ErrorCode::invalid_argument, "copy"};
  // From here on the header is this copy. It goes into the hash, so the submitter cannot change it unnoticed.
  std::memcpy(&header_, image.data(), sizeof(header_));
  if (Status status = check_header(header_, image.size()); !status.ok()) return status;
  for (key_ = 0; key_ < keys.size() && key_id(keys[key_]) != header_.key_id;) ++key_;
  if (key_ == keys.size()) return {ErrorCode::unknown_key, "key_id"};
  image_ = image;
  copy_ = copy;
  keys_ = keys;
  signed_ = sizeof(SignedHeader) + header_.payload_bytes;
  br_sha256_init(context_in(hash_));
  add_to_hash(std::as_bytes(std::span(&header_, 1)));
  if (!copy_.empty()) std::memcpy(copy_.data(), &header_, sizeof(header_));
  hashed_ = sizeof(SignedHeader);
  phase_ = Phase::hash;
  return {};
}

std::span<const std::byte> Verification::payload() const {
  return (copy_.empty() ? image_ : std::span<const std::byte>(copy_)).subspan(sizeof(SignedHeader), header_.payload_bytes);
}

Status Verification::step(load::Budget &budget) {
  while (phase_ != Phase::done && budget.is_left()) {
    if (phase_ == Phase::hash) {
      hash(budget);
      continue;
    }
    budget.spend(COX_P256_STEP_COST);
    if (cox_p256_step(&curve_)) continue;
    phase_ = Phase::done;
    if (!curve_.good) return {ErrorCode::bad_signature, "signature"};
  }
  return {};
}

/// Copies and hashes until all is done or the budget is used. Then begins with the signature.
void Verification::hash(load::Budget &budget) {
  for (; hashed_ < signed_ && budget.is_left(); hashed_ += std::min(kPiece, signed_ - hashed_)) {
    const std::span<const std::byte> source = image_.subspan(hashed_, std::min(kPiece, signed_ - hashed_));
    budget.spend(static_cast<std::int32_t>(source.size()) * kByteCost);
    if (copy_.empty()) {
      add_to_hash(source);
      continue;
    }
    budget.spend(static_cast<std::int32_t>(source.size()) * kCopyCost);
    const std::span<std::byte> target = copy_.subspan(hashed_, source.size());
    std::memcpy(target.data(), source.data(), source.size());
    add_to_hash(target);
    hal::clean_cache(target.data(), target.size());  // the accelerator may read it there
  }
  if (hashed_ == signed_) begin_signature();
}

/// All pieces except the last one are whole blocks.
void Verification::add_to_hash(std::span<const std::byte> bytes) {
  const auto *next = reinterpret_cast<const unsigned char *>(bytes.data());
  const std::size_t blocks = bytes.size() / kBlock * kBlock;
  br_sha256_context *const hash = context_in(hash_);
  for (std::size_t i = 0; i < blocks; i += kBlock) br_sha2small_round(next + i, hash->val);
  hash->count += blocks;
  br_sha256_update(hash, next + blocks, bytes.size() - blocks);
}

void Verification::begin_signature() {
  std::array<std::uint8_t, COX_P256_DIGEST_BYTES> digest{};
  br_sha256_out(context_in(hash_), digest.data());
  std::array<std::uint8_t, image::kSignatureBytes> signature{};
  std::memcpy(signature.data(), &image_[signed_], signature.size());
  cox_p256_begin(&curve_, keys_[key_].point, digest.data(), signature.data());
  phase_ = Phase::signature;
}

}  // namespace cox::firmware::signature
