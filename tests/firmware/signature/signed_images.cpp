// SPDX-License-Identifier: MIT
#include "tests/firmware/signature/signed_images.h"

#include <cstring>

#include "coxswain/firmware/signature/policy.h"
#include "tools/sign/signed_image.h"

namespace cox::tests {

using tools::sign::PrivateKey;

SignedImage::SignedImage(std::span<const std::uint8_t> bytes)
    : lines_((kShift + bytes.size() + kAlignment - 1) / kAlignment),
      storage_(std::as_writable_bytes(std::span(lines_))),
      size_(bytes.size()) {
  std::memcpy(&storage_[kShift], bytes.data(), bytes.size());
}

const PrivateKey &first_key() {
  static const PrivateKey key = PrivateKey::generate();
  return key;
}

const PrivateKey &second_key() {
  static const PrivateKey key = PrivateKey::generate();
  return key;
}

SignedImage sign(std::span<const std::byte> payload, std::uint32_t version, const PrivateKey &key) {
  return SignedImage(tools::sign::sign_image({reinterpret_cast<const std::uint8_t *>(payload.data()), payload.size()}, key, version));
}

SignedImage sign(const TaskText &text, std::uint32_t version, const PrivateKey &key) { return sign(Image(text).bytes(), version, key); }

SignaturePolicy::SignaturePolicy() : keys{tools::sign::public_key(first_key().point())} { keys[0].minimum_version = 3; }

SignaturePolicy::~SignaturePolicy() { firmware::load::set_signature_check(nullptr); }

void SignaturePolicy::set() {
  policy.keys = keys.data();
  policy.key_count = keys.size();
  const Status status = firmware::signature::set_policy(policy);
  ASSERT_TRUE(status.ok()) << status.what();
}

}  // namespace cox::tests
