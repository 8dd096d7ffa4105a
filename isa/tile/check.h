// SPDX-License-Identifier: MIT
// Is this a legal instruction, and one that this version implements? From its bits alone.
#pragma once

#include "base/status.h"
#include "isa/tile/table.h"

namespace cox::isa::tile {

/// unknown_instruction, reserved_bits (`index` is the lowest such bit), field_out_of_range (`what` the field, `index` the element, `value`,
/// `limit`), unsupported (the instruction's name, or the field whose value is known but not implemented). NaN and infinities in
/// floating-point fields are out of range. The context and completion bits may have any value.
[[nodiscard]] Status check(const MachineCode &code);

}  // namespace cox::isa::tile
