// SPDX-License-Identifier: MIT
// Is this a legal instruction? From its bits alone.
#pragma once

#include "base/status.h"
#include "isa/tile/table.h"

namespace cox::isa::tile {

/// unknown_instruction, reserved_bits (`index` is the lowest such bit), field_out_of_range (`what` the field, `index` the element, `value`,
/// `limit`). NaN and infinities in floating-point fields are out of range. The context, completion and core bits may have any value.
[[nodiscard]] Status check(const MachineCode &code);

}  // namespace cox::isa::tile
