// SPDX-License-Identifier: MIT
// Assembles PIM programs (docs/pim.md, Assembler).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "coxswain/isa/pim/configuration.h"
#include "tools/pim/program_parts.h"

namespace cox::tools::pim {

/// The place of an instruction in the text.
struct SourceLine {
  std::size_t code = 0;           ///< index in ProgramParts::codes
  std::uint32_t instruction = 0;  ///< number of its first machine instruction
  std::uint32_t count = 0;        ///< machine instructions: li may be two
  std::size_t line = 0;           ///< counted from 1
};

struct Assembled {
  ProgramParts parts;
  std::vector<SourceLine> lines;  ///< in the order of the text
};

/// The names of the configuration's memories, `array`, `dram` and `dram0` to `dram3` are constants with their first addresses; other
/// characters than letters and digits are `_` in them. `file` is for messages. Throws FileError with file, line and column.
[[nodiscard]] Assembled assemble_program(std::string_view text, const std::string &file,
                                         const isa::pim::Configuration &configuration = isa::pim::default_configuration());

/// Returns true if the first word of the text is an instruction or a directive. Labels, .equ and .time_limit do not count.
[[nodiscard]] bool begins_like_program(std::string_view text);

/// Returns the text with the core's number, the instruction's number and its words before each line.
[[nodiscard]] std::string listing(std::string_view text, const Assembled &assembled);

}  // namespace cox::tools::pim
