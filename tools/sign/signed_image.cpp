// SPDX-License-Identifier: MIT
#include "tools/sign/signed_image.h"

#include <cstring>

#include "coxswain/firmware/signature/verification.h"

namespace cox::tools::sign {

namespace image = firmware::image;

std::vector<std::uint8_t> sign_image(std::span<const std::uint8_t> payload, const PrivateKey &key, std::uint32_t version) {
  const image::SignedHeader header = {.magic = image::kSignedMagic,
                                      .layout = image::kSignedLayout,
                                      .algorithm = image::kEcdsaP256Sha256,
                                      .version = version,
                                      .payload_bytes = static_cast<std::uint32_t>(payload.size()),
                                      .reserved = {},
                                      .key_id = firmware::signature::key_id(public_key(key.point()))};
  std::vector<std::uint8_t> bytes(sizeof(header));
  std::memcpy(bytes.data(), &header, sizeof(header));
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  const Signature signature = key.sign(bytes);
  bytes.insert(bytes.end(), signature.begin(), signature.end());
  return bytes;
}

Status verify_image(std::span<const std::uint8_t> image, std::span<const cox_public_key> keys) {
  firmware::signature::Verification verification;
  if (Status status = verification.begin(std::as_bytes(image), {}, keys); !status.ok()) return status;
  while (!verification.done()) {
    firmware::load::Budget budget;
    if (Status status = verification.step(budget); !status.ok()) return status;
  }
  return {};
}

}  // namespace cox::tools::sign
