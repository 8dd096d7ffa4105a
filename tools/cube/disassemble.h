// SPDX-License-Identifier: MIT
// Disassembles the matrix unit's streams to their text form (docs/cox.md, CUBE streams).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cox::tools::cube {

/// Returns text with one instruction a line. A line has the instruction's name, its enumerations, its other fields that are not 0, its
/// flags, and its number in the stream as a comment. Fields are in the order of the table. assemble() gives the same bytes back. `file` is
/// for messages. Throws FileError with the number, instruction and field of the first instruction that the unit would refuse for its bits.
/// Also throws it if there is no instruction.
[[nodiscard]] std::string disassemble(std::span<const std::uint8_t> stream, const std::string &file);

}  // namespace cox::tools::cube
