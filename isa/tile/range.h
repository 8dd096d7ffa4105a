// SPDX-License-Identifier: MIT
// The batches of VP.
#pragma once

#include "isa/range.h"
#include "isa/tile/table.h"

namespace cox::isa::tile {

/// Does the machine code of that instruction hold an index within a batch?
[[nodiscard]] constexpr bool takes_batch(Opcode opcode) { return opcode == Opcode::vp_self || opcode == Opcode::vp_pool; }

}  // namespace cox::isa::tile
