// SPDX-License-Identifier: MIT
// Assembles the text form of MX streams to the bytes that the engine reads (docs/cox.md, MX streams).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/engine_descriptor.h"

namespace cox::tools::mx {

/// The text has one instruction a line: its name, then each of its fields once as Field=value, in any order. `#` begins a comment, blank
/// lines are skipped. `file` is for messages. Throws FileError with file, line, column, instruction, field, value and range. Also throws it
/// if there is no instruction, or if the instructions need more than `most_bytes`.
[[nodiscard]] std::vector<std::uint8_t> assemble(std::string_view text, const std::string &file,
                                                 std::size_t most_bytes = registers::kMostStreamBytes);

}  // namespace cox::tools::mx
