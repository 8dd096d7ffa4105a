// SPDX-License-Identifier: MIT
// Flags and sets of pipes as text.
#pragma once

#include <cstdint>
#include <string>

#include "isa/cube/instruction.h"
#include "tools/assembly/line.h"

namespace cox::tools::cube {

/// `MTE1:0,FIX:7`: the flags of a mask of `own`, the other pipe and the event of each, from bit 0 up.
[[nodiscard]] std::string flags_text(isa::cube::Pipe own, std::uint32_t mask);
/// The mask that says that. Refused: what is no such list, `own` itself, an event over 7, a flag twice.
[[nodiscard]] std::uint32_t read_flags(const assembly::Line &line, const isa::Field &field, const assembly::Word &value,
                                       isa::cube::Pipe own);

/// `MTE2,M`: a bit a pipe.
[[nodiscard]] std::string pipes_text(std::uint32_t pipes);
/// Refused: what is no such list, a pipe twice.
[[nodiscard]] std::uint32_t read_pipes(const assembly::Line &line, const isa::Field &field, const assembly::Word &value);

}  // namespace cox::tools::cube
