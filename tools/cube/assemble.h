// SPDX-License-Identifier: MIT
// Assembles the text form of the matrix unit's streams to the slots that the unit reads (docs/cox.md, CUBE streams).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "coxswain/device/engine_descriptor.h"

namespace cox::tools::cube {

/// The text has one instruction a line: its name, then its fields as Field=value. Fields may be in any order, each at most once. A field
/// that is not given is 0, which is refused if 0 is no value of the field. Wait and Set are lists of flags. Each flag is PIPE:event, where
/// PIPE is the pipe at the flag's other end: Wait=MTE1:0,FIX:7. The field Pipes of BARRIER is a list of pipes. `#` begins a comment, blank
/// lines are skipped. `file` is for messages. Throws FileError with file, line, column, instruction, field, value and range. Also throws it
/// if there is no instruction, or if the instructions need more than `most_bytes`.
[[nodiscard]] std::vector<std::uint8_t> assemble(std::string_view text, const std::string &file,
                                                 std::size_t most_bytes = registers::kMostStreamBytes);

}  // namespace cox::tools::cube
