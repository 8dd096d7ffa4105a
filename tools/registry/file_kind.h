// SPDX-License-Identifier: MIT
// What a file is, by its contents: for commands that are given a file of another kind.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tools/registry/program_format.h"

namespace cox::tools {

struct FileKind {
  std::string what;                       ///< `a CUBE stream as text`
  std::string taken_by;                   ///< `cox lower takes it`: the rest of the sentence
  const ProgramFormat *format = nullptr;  ///< of a program
  bool text = false;                      ///< of a program: its text form
};

/// Formats are asked in their order. nullopt: no kind that `cox` knows.
[[nodiscard]] std::optional<FileKind> identify(ProgramFormats formats, std::span<const std::uint8_t> bytes);

}  // namespace cox::tools
