// SPDX-License-Identifier: MIT
// Words of PIM assembly that are no instructions.
#pragma once

#include <string_view>

namespace cox::tools::pim {

inline constexpr std::string_view kDirectives[] = {".core", ".equ", ".set", ".load", ".store", ".store_registers", ".time_limit", ".word"};

}  // namespace cox::tools::pim
