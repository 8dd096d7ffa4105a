// SPDX-License-Identifier: MIT
// Disassembles the matrix unit's streams to their text form (docs/cox.md, CUBE streams).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cox::tools::cube {

/// Returns text with one instruction a line: its name, the enumerations and the fields that are not 0 in the order of the table, its flags,
/// and its number in the stream as a comment. assemble() gives the same bytes back. `file` is for messages. Throws FileError with the
/// number, instruction and field of the first instruction that the unit would refuse for its bits. Also throws it if there is no
/// instruction.
[[nodiscard]] std::string disassemble(std::span<const std::uint8_t> stream, const std::string &file);

}  // namespace cox::tools::cube
