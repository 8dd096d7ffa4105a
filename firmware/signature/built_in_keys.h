// SPDX-License-Identifier: MIT
// The keys that the build has put into an image (COX_SIGNING_KEYS, cox_signing_keys()).
#pragma once

#include <cstddef>

#include "coxswain/firmware/cox_signature.h"

namespace cox::firmware::signature {

// toolchain/signing-keys writes the definitions.
extern const cox_public_key built_in_keys[];
extern const std::size_t built_in_key_count;

}  // namespace cox::firmware::signature
