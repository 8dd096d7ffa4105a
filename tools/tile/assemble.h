// SPDX-License-Identifier: MIT
// Assembles one line of a stream to one instruction, and finds the batches of VP instructions.
#pragma once

#include <string_view>
#include <vector>

#include "tools/tile/task.h"

namespace cox::task {

/// Throws TextError (tools/tile/instruction_text.h).
[[nodiscard]] Instruction assemble_line(std::string_view line);

/// Sets the batch index of `vp_*` instructions (docs/isa/tile.md, Batches in VP). A batch is a run of consecutive VP instructions of a core
/// with the same `wkl` and, except for dependency bits, the same machine code. Their `tile` numbers count 0, 1, 2 and so on, and become the
/// batch indices. All other instructions get 0. Each instruction of a batch also gets the number of images in the batch, unless its line
/// states the number as `tiles`. Returns the number of the first instruction whose batch index does not fit into the machine code, or -1 if
/// all fit.
[[nodiscard]] int set_batches(std::vector<Instruction> &instructions);

}  // namespace cox::task
