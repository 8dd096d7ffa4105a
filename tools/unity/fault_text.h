// SPDX-License-Identifier: MIT
// Errors of loads and runs of xDSA programs, as sentences for the user.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "coxswain/base/status.h"

namespace cox::tools::unity {

[[nodiscard]] std::string fault_text(std::span<const std::uint8_t> container, const Status &status);

}  // namespace cox::tools::unity
