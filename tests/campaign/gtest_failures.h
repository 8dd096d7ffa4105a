// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

namespace cox::campaign {

/// Runs a check that uses GoogleTest's assertions outside of a test. Returns what its first failure says, in one line; empty if none
/// failed.
std::string first_failure(const std::function<void()> &check);

}  // namespace cox::campaign
