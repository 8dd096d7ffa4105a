// SPDX-License-Identifier: MIT
// Which instruction set a file is of (docs/cox.md): by the option --isa, else by the ending of its name, else the registry's first.
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

[[nodiscard]] const ProgramFormat &format_of(const std::string &isa, const std::string &file, Form form);

/// Refuses a file of a kind that `cox` knows and that is not a program of `format` in that form: says what it is, and which command takes
/// it. Other files pass: the command says what is wrong with them. A task may be in either form. Throws FileError.
void refuse_other_kinds(const std::string &file, const ProgramFormat &format, Form form);

/// As above for a file that is no program: `what` it should be, as identify() says it.
void refuse_other_kinds(const std::string &file, const std::string &what);

}  // namespace cox::tools
