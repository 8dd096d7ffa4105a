// SPDX-License-Identifier: MIT
// Assembles the text form of the matrix unit's streams to the slots that the unit reads (docs/cox.md, CUBE streams).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/engine_descriptor.h"

namespace cox::tools::cube {

/// One instruction a line: its name, then its fields as Field=value, in any order, each at most once; a field that is not given is 0,
/// which is refused if 0 is no value of the field. Wait and Set are lists of flags, PIPE:event, of the other pipe and the event:
/// Wait=MTE1:0,FIX:7. Pipes of BARRIER is a list of pipes. `#` begins a comment, blank lines are skipped. `file` is for messages. Throws
/// FileError with file, line, column, instruction, field, value and range; also if there is no instruction, or if they need more than
/// `most_bytes`.
[[nodiscard]] std::vector<std::uint8_t> assemble(std::string_view text, const std::string &file,
                                                 std::size_t most_bytes = registers::kMostStreamBytes);

}  // namespace cox::tools::cube
