// SPDX-License-Identifier: MIT
// Which instruction set a file is of (docs/cox.md, MX streams): by its ending, or by the option --isa.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace cox::tools {

inline constexpr const char *kMxTextEnding = ".mx";
inline constexpr const char *kMxStreamEnding = ".mxs";

/// --isa tile or mx, into `isa`, which stays empty where it is not given; `mx_ending` is that of the files that are MX without it.
void add_instruction_set_option(CLI::App &command, std::string &isa, const char *mx_ending);

[[nodiscard]] bool is_mx(const std::string &isa, const std::string &file, const char *mx_ending);

}  // namespace cox::tools
