// SPDX-License-Identifier: MIT
// One line of a stream to one instruction, and the rule that needs more than one: batches of VP.
#pragma once

#include <string_view>
#include <vector>

#include "tools/tile/task.h"

namespace cox::task {

/// Throws TextError (tools/tile/instruction_text.h).
[[nodiscard]] Instruction assemble_line(std::string_view line);

/// Batches in VP (docs/isa/tile.md): a `vp_*` that repeats the `vp_*` before it, with nothing of that core's VP in between, in the same
/// workload and with `tile` one higher, is the next image of the batch. Its machine code gets `tile` as its index; that of all others is 0:
/// where `tile` counts tiles, addresses differ. Returns the first instruction whose index does not fit into the machine code, or -1.
[[nodiscard]] int set_batches(std::vector<Instruction> &instructions);

}  // namespace cox::task
