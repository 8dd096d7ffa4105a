// SPDX-License-Identifier: MIT
// Flags and sets of pipes as text.
#pragma once

#include <cstdint>
#include <string>

#include "coxswain/isa/cube/instruction.h"
#include "tools/assembly/line.h"

namespace cox::tools::cube {

/// Returns the flags of pipe `own` whose bits are set in `mask`, from bit 0 up. A flag is written as the pipe at its other end and the
/// event: `MTE1:0,FIX:7`.
[[nodiscard]] std::string flags_text(isa::cube::Pipe own, std::uint32_t mask);
/// Reads a list of flags in the form of flags_text() and returns its mask. Refuses any other text, the pipe `own`, an event over 7, and a
/// flag that occurs twice.
[[nodiscard]] std::uint32_t read_flags(const assembly::Line &line, const isa::Field &field, const assembly::Word &value,
                                       isa::cube::Pipe own);

/// Returns the names of a set of pipes, for example `MTE2,M`. The set has one bit for each pipe.
[[nodiscard]] std::string pipes_text(std::uint32_t pipes);
/// Reads a list of pipes in the form of pipes_text() and returns its mask. Refuses any other text, and a pipe that occurs twice.
[[nodiscard]] std::uint32_t read_pipes(const assembly::Line &line, const isa::Field &field, const assembly::Word &value);

}  // namespace cox::tools::cube
