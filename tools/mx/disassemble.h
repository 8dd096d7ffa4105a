// SPDX-License-Identifier: MIT
// Disassembles MX streams to their text form (docs/cox.md, MX streams).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cox::tools::mx {

/// Returns text with one instruction a line: its fields in the order of the table, and its byte offset as a comment. assemble() gives the
/// same bytes back. `file` is for messages. Throws FileError with the byte offset, instruction and field of the first instruction that a
/// device would refuse for its bits. Also throws it if there is no instruction.
[[nodiscard]] std::string disassemble(std::span<const std::uint8_t> stream, const std::string &file);

}  // namespace cox::tools::mx
