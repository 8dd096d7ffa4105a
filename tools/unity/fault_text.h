// SPDX-License-Identifier: MIT
// Errors of loads and runs of xDSA programs, as sentences for the user.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"

namespace cox::tools::unity {

/// True if the status is that of a program whose units waited for keys; its value is the mask of these units.
[[nodiscard]] bool is_deadlock(const Status &status);

[[nodiscard]] std::string fault_text(std::span<const std::uint8_t> container, const Status &status);

}  // namespace cox::tools::unity
