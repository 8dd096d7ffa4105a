// SPDX-License-Identifier: MIT
// Instruction streams: text, one instruction a line (docs/cox.md, Streams).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tile/task.h"

namespace cox::task {

/// Assembles a stream. Each line is strict JSON, the printed form (docs/cox.md, Streams), a line of a trace file, or blank. `file` is for
/// messages. Throws tools::FileError that names file, line, column, instruction and field.
[[nodiscard]] std::vector<Instruction> read_stream(std::string_view text, const std::string &file);

/// Returns strict JSON, one line for each instruction. read_stream() turns this text back into the same instructions. Throws
/// tools::FileError if reserved bits are set, or if a batch index is not the one that set_batches() would set.
[[nodiscard]] std::string write_stream(std::span<const Instruction> instructions);

}  // namespace cox::task
