// SPDX-License-Identifier: MIT
// Identifies a file by its contents, for commands that get a file of the wrong kind.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tools/registry/program_format.h"

namespace cox::tools {

struct FileKind {
  std::string what;                       ///< `an event log`
  std::string taken_by;                   ///< what messages print after `what`: `cox lower takes it`
  const ProgramFormat *format = nullptr;  ///< only for a program
  bool text = false;                      ///< only for a program: it is the text form
};

/// Asks the formats one after another. Returns nullopt if `cox` does not know the file's kind.
[[nodiscard]] std::optional<FileKind> identify(ProgramFormats formats, std::span<const std::uint8_t> bytes);

}  // namespace cox::tools
