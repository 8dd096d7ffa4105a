// SPDX-License-Identifier: MIT
// Which images the loader takes, for C++ programs. firmware/cox_signature.h has the policy's members.
#pragma once

#include "coxswain/base/status.h"
#include "coxswain/firmware/cox_signature.h"

namespace cox::firmware::signature {

/// Sets the policy for all later loads, as cox_set_signing_policy() does.
[[nodiscard]] Status set_policy(const cox_signing_policy &policy);

}  // namespace cox::firmware::signature
