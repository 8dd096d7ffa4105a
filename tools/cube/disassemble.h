// SPDX-License-Identifier: MIT
// Disassembles the matrix unit's streams to their text form (docs/cox.md, CUBE streams).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cox::tools::cube {

/// Returns text with one instruction a line. A line has the instruction's name, its fields in the order of isa/cube/table.h, its flags, and
/// its number in the stream as a comment. A field that is 0 is left out unless it is an enumeration. assemble() gives the same bytes back.
/// `file` is for messages. Throws FileError if the stream has no instruction, or if it has one with bits that the unit would refuse. The
/// message has the number and the name of the first such instruction, and the field.
[[nodiscard]] std::string disassemble(std::span<const std::uint8_t> stream, const std::string &file);

}  // namespace cox::tools::cube
