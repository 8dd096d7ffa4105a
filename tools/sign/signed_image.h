// SPDX-License-Identifier: MIT
// Makes and verifies signed images (docs/signing.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/base/status.h"
#include "tools/sign/keys.h"

namespace cox::tools::sign {

/// Returns the signed image around `payload`, which has less than 4 GiB.
[[nodiscard]] std::vector<std::uint8_t> sign_image(std::span<const std::uint8_t> payload, const PrivateKey &key, std::uint32_t version);

/// Verifies a signed image with the firmware's own code. Errors: those of firmware::signature::Verification.
[[nodiscard]] Status verify_image(std::span<const std::uint8_t> image, std::span<const cox_public_key> keys);

}  // namespace cox::tools::sign
