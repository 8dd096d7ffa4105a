// SPDX-License-Identifier: MIT
// Assembles xDSA programs (docs/unity-assembly.md): a container, and the names of the bytes outside of it that it works on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "coxswain/isa/unity/instruction.h"
#include "tools/image/stream_image.h"

namespace cox::tools::unity {

/// An instruction of a text.
struct AssembledInstruction {
  std::size_t line = 0;      ///< from 1
  std::string program;       ///< its unit or the label of its sub-program
  std::uint32_t number = 0;  ///< in the program
  isa::unity::MachineCode code{};
};

struct Assembled {
  std::vector<std::uint8_t> container;
  StreamBindings bindings;                         ///< windows, and tensors with a direction
  std::vector<AssembledInstruction> instructions;  ///< in the order of programs, then of sub-programs
};

/// `file` is for messages; files that the text names are searched from its folder on. Throws FileError.
[[nodiscard]] Assembled assemble(std::string_view text, const std::string &file);
/// assemble() for the printer, whose text may lack bytes: the result may be a container that cannot be opened.
[[nodiscard]] Assembled assemble_part(std::string_view text, const std::string &file);

/// Returns the text with each line behind the program, the number and the machine code of its instruction.
[[nodiscard]] std::string listing(std::string_view text, const Assembled &assembled);

/// True if the first line that is no comment, .equ or .time_limit begins with an instruction or with a directive that only xDSA has.
[[nodiscard]] bool begins_like_program(std::string_view text);

/// Windows that no line describes: windows 0 to 2, writable, at multiples of 16 MiB, each with this many bytes.
inline constexpr std::uint64_t kBareWindowBytes = std::uint64_t{4} << 20;
inline constexpr unsigned kBareWindows = 3;
[[nodiscard]] StreamBindings bare_bindings();

}  // namespace cox::tools::unity
