// SPDX-License-Identifier: MIT
// Text for users that says why an engine would not take an instruction.
#pragma once

#include <string>
#include <string_view>

#include "coxswain/base/status.h"

namespace cox::tools::assembly {

/// Returns for example `field_out_of_range: GEMM: Length1: 1024, the limit is 1023`. `instruction`: its name, or empty if it is not known.
[[nodiscard]] std::string refusal_text(std::string_view instruction, const Status &status);

}  // namespace cox::tools::assembly
