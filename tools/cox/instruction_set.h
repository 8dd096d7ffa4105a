// SPDX-License-Identifier: MIT
// Which instruction set a file is of (docs/cox.md, MX streams, CUBE streams): by its ending, or by the option --isa.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace cox::tools {

enum class InstructionSet { tile, mx, cube };

/// Endings of the files that are of an engine's instruction set where --isa does not say it.
struct Endings {
  const char *mx, *cube;
};
inline constexpr Endings kTextEndings{".mx", ".cube"}, kStreamEndings{".mxs", ".cubes"};

/// --isa tile, mx or cube, into `isa`, which stays empty where it is not given.
void add_instruction_set_option(CLI::App &command, std::string &isa, const Endings &endings);

[[nodiscard]] InstructionSet instruction_set_of(const std::string &isa, const std::string &file, const Endings &endings);

}  // namespace cox::tools
