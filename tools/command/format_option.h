// SPDX-License-Identifier: MIT
// Finds the instruction set of a file (docs/cox.md). The option --isa names the set. Without the option, a task image of a stream names its
// engine. For other files, the ending of the name decides. If no set has this ending, the first set of the registry is taken.
#pragma once

#include <string>

#include "tools/registry/registry.h"

namespace CLI {
class App;
}

namespace cox::tools {

/// Forms of a program that a command takes.
enum class Form { text, binary, either };

/// Adds --isa to `command`. `isa` stays empty if the option is not given.
void add_format_option(CLI::App &command, std::string &isa, Form form);

/// Throws FileError if the file is a task image that is broken.
[[nodiscard]] const ProgramFormat &format_of(const std::string &isa, const std::string &file, Form form);

/// Throws a FileError if identify() recognises the file as anything other than a program of `format`, or as a program that does not have
/// the form `form`. The message says what the file is, and which command takes it. A task may be text or binary.
void refuse_other_kinds(const std::string &file, const ProgramFormat &format, Form form);

/// For a command that takes files of one kind, not programs. `what` is the FileKind::what of this kind, such as `an event log`. Throws a
/// FileError if identify() recognises the file as another kind.
void refuse_other_kinds(const std::string &file, const std::string &what);

}  // namespace cox::tools
