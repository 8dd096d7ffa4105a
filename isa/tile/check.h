// SPDX-License-Identifier: MIT
#pragma once

#include "isa/tile/table.h"

namespace cox::isa::tile {

[[nodiscard]] inline Status check(const MachineCode &code) { return Set::check(code); }

}  // namespace cox::isa::tile
