// SPDX-License-Identifier: MIT
// Instruction streams: text, one instruction a line (docs/cox.md, Streams).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tile/task.h"

namespace cox::task {

/// Assembles a whole stream: strict JSON, the printed form and trace files, line by line; blank lines are skipped. `file` is for messages.
/// Throws tools::FileError that names file, line, column, instruction and field.
[[nodiscard]] std::vector<Instruction> read_stream(std::string_view text, const std::string &file);

/// Returns strict JSON, one line for each instruction. read_stream() turns this text back into the same instructions. Throws
/// tools::FileError if no text stands for these instructions, because reserved bits are set or a batch index does not follow from the
/// mapping parts.
[[nodiscard]] std::string write_stream(std::span<const Instruction> instructions);

}  // namespace cox::task
