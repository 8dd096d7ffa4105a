// SPDX-License-Identifier: MIT
// Identifies a file by its contents, for commands that get a file of the wrong kind.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tools/registry/program_format.h"

namespace cox::tools {

inline constexpr const char *kTensorFlowLiteModel = "a TensorFlow Lite model";  ///< FileKind::what

struct FileKind {
  std::string what;                       ///< name for messages, for example `an event log`
  std::string taken_by;                   ///< which command takes the file, for example `cox lower takes it`
  const ProgramFormat *format = nullptr;  ///< format of a program; nullptr for other files
  bool text = false;                      ///< true: the file is the text form of a program
};

/// Asks the formats one after another. Returns nullopt if `cox` does not know the file's kind.
[[nodiscard]] std::optional<FileKind> identify(ProgramFormats formats, std::span<const std::uint8_t> bytes);

}  // namespace cox::tools
