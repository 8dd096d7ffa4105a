// SPDX-License-Identifier: MIT
// Assembles one line of a stream to one instruction, and applies the one rule that concerns several instructions: batches of VP.
#pragma once

#include <string_view>
#include <vector>

#include "tools/tile/task.h"

namespace cox::task {

/// Throws TextError (tools/tile/instruction_text.h).
[[nodiscard]] Instruction assemble_line(std::string_view line);

/// Sets the batch index of `vp_*` instructions (docs/isa/tile.md). A `vp_*` is the next image of a batch if it repeats the core's previous
/// VP instruction, in the same workload and with `tile` one higher. Its machine code then gets `tile` as its batch index; all other
/// instructions get 0. (If `tile` counts tiles, not images, the addresses differ, so the instruction is no repetition.) Each instruction of
/// a batch also gets the number of images in the batch, unless its line states the number as `tiles`. Returns the number of the first
/// instruction whose batch index does not fit into the machine code, or -1 if all fit.
[[nodiscard]] int set_batches(std::vector<Instruction> &instructions);

}  // namespace cox::task
