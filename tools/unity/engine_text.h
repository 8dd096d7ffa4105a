// SPDX-License-Identifier: MIT
// Streams and instructions of the other engines in a container, in the engines' own text forms.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coxswain/isa/unity/storage.h"

namespace cox::tools::unity {

/// Name of an engine in xDSA programs, for example `mx`.
[[nodiscard]] const char *engine_name(isa::unity::Domain domain);
[[nodiscard]] std::optional<isa::unity::Domain> find_engine(std::string_view name);
/// Text for a name that no engine has: the names, or the nearest one.
[[nodiscard]] std::string suggest_engine(std::string_view name);

/// What one text stands for.
struct EngineCode {
  std::vector<std::uint8_t> bytes;  ///< a stream; tile: instructions, which are slots
  unsigned queue = 0;               ///< tile: the class of all instructions
};

/// Assembles the engine's own text form. `file` is for messages. Throws FileError, also for tile instructions of several classes.
[[nodiscard]] EngineCode assemble_engine(isa::unity::Domain domain, std::string_view text, const std::string &file);
/// Reads a file with the engine's text form, or with the bytes of a stream. Throws FileError.
[[nodiscard]] EngineCode read_engine_file(isa::unity::Domain domain, const std::string &path);
/// Returns the place of an instruction in a stream, for example `byte 8`. `position`: as the engine's faults report it.
[[nodiscard]] std::string engine_position(isa::unity::Domain domain, std::uint32_t position);
/// Returns text that assemble_engine() turns into the same bytes; no text if these are not a stream.
[[nodiscard]] std::string print_engine(isa::unity::Domain domain, std::span<const std::uint8_t> bytes);

}  // namespace cox::tools::unity
